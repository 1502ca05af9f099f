// Steps do not allocate memory once their buffers have grown. All requests to malloc of this test program are counted:
// those of operator new and those that Eigen makes directly.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "contact/heap_model.hpp"
#include "ricochet/cone/body_sweeps.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/mechanics/joints/joint_springs.hpp"
#include "simulation/test_runs.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace {
std::atomic<long> allocation_requests = 0;
}

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++allocation_requests;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocation_requests;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  ++allocation_requests;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocation_requests;
  return __libc_memalign(alignment, size);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace ricochet::simulation {
namespace {

// Buffers grow when more contacts are active than ever before, or when more of them hang together (an island of the
// contact problem); the first steps of a test let both happen. After that a step needs nothing, however their number
// changes. `record` is the largest number of contacts seen so far.
long allocations_of_steps(Simulation& simulation, int count, std::size_t& record) {
  long requests = 0;
  bool good = true;
  for (int i = 0; i < count; ++i) {
    const long before = allocation_requests;
    good = simulation.step() && good;
    const std::size_t contacts = simulation.frame().contacts.size();
    if (contacts <= record) requests += allocation_requests - before;
    record = std::max(record, contacts);
  }
  EXPECT_TRUE(good);
  return requests;
}

TEST(Allocation, TheCounterCounts) {
  const long before = allocation_requests;
  const VectorX vector = VectorX::Ones(100);
  const std::vector<int> list(100, 1);
  EXPECT_EQ(vector.sum() + list[0], 101);
  EXPECT_GE(allocation_requests - before, 2);
}

// Takes blocks and forgets them.
class NoMass final : public linalg::EffectiveMass {
 public:
  void clear() override {}
  void add(int /*row*/, int /*column*/, const Eigen::Ref<const MatrixX>& block) override { sum += block.sum(); }
  void factorise() override {}
  void solve_in_place(VectorX& /*x*/) const override {}
  void delassus(const linalg::BlockSparseMatrix& /*gradients*/, linalg::BlockSparseMatrix& /*delassus*/) override {}
  double sum = 0;
};

// A chain of two boxes on hinges, with a spring in each. (The step itself factorises a matrix, which needs memory.)
TEST(Allocation, SpringsOfJointsAllocateNothing) {
  model::Model model;
  for (int i = 0; i < 2; ++i) {
    test::add_box(model, 1, Vector3(0.5, 0.1, 0.1), Vector3(i + 0.5, 0, 0));
    model::Joint hinge;
    hinge.name = "hinge" + std::to_string(i);
    hinge.type = model::JointType::revolute;
    hinge.first.attachment = {{i - 1}, i == 0 ? Vector3(Vector3::Zero()) : Vector3(0.5, 0, 0)};
    hinge.second.attachment = {{i}, Vector3(-0.5, 0, 0)};
    model.joints.push_back(hinge);
    model.joint_springs.push_back({{{i}, 0}, 10, 0.1, math::TimeFunction(math::Expression::parse("1 + sin(3*t)"))});
  }
  const mechanics::Equations equations(model);
  const auto springs = mechanics::make_joint_springs(model, equations.map(), equations.joints());
  mechanics::State state = equations.initial_state();
  VectorX force = VectorX::Zero(12);
  mechanics::Powers powers;
  NoMass matrix;
  const long before = allocation_requests;
  springs->add_force(state, force);
  springs->add_tangents(state, 1, 1, matrix);
  springs->add_powers(state, powers);
  springs->update_angles(state, 1e-3);
  const double energy = springs->potential(state) + springs->energy_size(state) +
                        springs->prescribed_work(state, state) + springs->stage_excess(state, state, state, 1, 1e-3);
  EXPECT_EQ(allocation_requests - before, 0);
  EXPECT_GT(energy, 0);
  EXPECT_GT(force.norm(), 0);
  EXPECT_GT(std::abs(matrix.sum), 0);
}

TEST(Allocation, BallsOnAPlaneAllocateNothing) {
  for (const bool planar : {true, false}) {
    const model::Model model = test::balls_on_a_plane(20, planar);
    Simulation simulation(model, test::settings_for(1, 1e-3));
    std::size_t record = 0;
    allocations_of_steps(simulation, 300, record);
    EXPECT_EQ(allocations_of_steps(simulation, 1000, record), 0);
    EXPECT_GE(record, 20U);
    EXPECT_GT(simulation.statistics().contacts_sum, 1000);
  }
}

// A stack of boxes, and balls that roll about on the lowest one.
TEST(Allocation, BodiesOnBodiesAllocateNothing) {
  model::Model model;
  model.gravity = Vector3(0, -9.81, 0);
  std::vector<model::Participant> all;
  test::add_box(model, 100, Vector3(3, 0.5, 3), Vector3(0, 0.5, 0));
  for (int i = 0; i < 4; ++i) test::add_box(model, 1, Vector3(0.5, 0.25, 0.5), Vector3(0.1 * i, 1.25 + 0.5 * i, 0));
  for (int i = 0; i < 4; ++i) test::add_ball(model, 1, 0.25, Vector3(-2 + i, 1.25, 2), Vector3(0.1 * i, 0, -0.2));
  for (int i = 0; i < 9; ++i) all.push_back(test::body(i));
  const int floor = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, all, {test::surface(floor)}, {0.3, 0, 0});
  test::add_contact(model, all, all, {0.3, 0, 0});
  Simulation simulation(model, test::settings_for(1, 1e-3));
  std::size_t record = 0;
  allocations_of_steps(simulation, 300, record);
  EXPECT_EQ(allocations_of_steps(simulation, 1000, record), 0);
  EXPECT_GE(record, 20U);
}

// A wall that is hit, in one large island: sweeps, repairs, the path over bodies, refined friction, corrections. A
// first run lets all buffers grow, the same steps again need nothing.
TEST(Allocation, HeapsWithBothImpactLawsAllocateNothing) {
  model::Model model;
  model.gravity = Vector3(0, -9.81, 0);
  std::vector<model::Participant> all;
  for (int layer = 0; layer < 7; ++layer) {
    for (int i = 0; i < 10; ++i) {
      const Vector3 place(1.01 * i + 0.5 * (layer % 2), 0.25 + 0.5 * layer, 0);
      test::add_box(model, 1, Vector3(0.5, 0.25, 0.5), place);
    }
  }
  test::add_box(model, 3, Vector3(0.5, 0.5, 0.5), Vector3(5, 1.9, 1.15),
                math::Quaternion{1, 0.1, 0.2, 0.3}.normalized());
  model.nodes.back().velocity = Vector3(0, 0, -3);
  for (int i = 0; i < static_cast<int>(model.bodies.size()); ++i) all.push_back(test::body(i));
  const int floor = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, all, {test::surface(floor)}, {0.5, 0, 0});
  test::add_contact(model, all, all, {0.5, 0, 0});
  for (const integrate::ImpactLaw law : {integrate::ImpactLaw::fremond, integrate::ImpactLaw::newton}) {
    Settings settings = test::settings_for(1, 2e-3);
    settings.moreau_jean.impact = law;
    settings.solver.tolerance = 1e-4;
    Simulation simulation(model, settings);
    const Snapshot start = simulation.snapshot();
    std::size_t record = 0;
    for (int run = 0; run < 2; ++run) {
      allocations_of_steps(simulation, 61, record);
      simulation.restore(start);
    }
    EXPECT_GE(record, 450U);  // more than 1200 scalars
    EXPECT_EQ(simulation.statistics().refined_steps > 0, law == integrate::ImpactLaw::fremond);
    allocations_of_steps(simulation, 1, record);  // whose report is new
    EXPECT_EQ(allocations_of_steps(simulation, 60, record), 0) << integrate::impact_law_names[static_cast<int>(law)];
  }
}

// Of all bodies, of a pair, over a mesh and over a face without limits; and again where they are elsewhere.
TEST(Allocation, GapProbesAllocateNothing) {
  model::Model model = contact::test::heap_of_spheres(100, 4);
  const std::vector<model::Participant> balls = model.contacts[0].first;
  model.surfaces.push_back({"field", Vector3::Zero(), Vector3::UnitZ()});
  const std::vector<double> heights(400, -1.0);
  model.surfaces[0].mesh = std::make_shared<model::TriangleMesh>(model::height_field(heights, 20, 1, 1));
  model::Node node;
  node.kind = model::NodeKind::frame;
  node.position = Vector3(0, 0, -2);
  const int face = test::add_body(model, node, 1, model::FaceShape{}, Matrix3::Identity());
  test::add_contact(model, balls, {test::surface(0), test::body(face)});
  const mechanics::DofMap map(model);
  const contact::ContactSet set(model, map);
  mechanics::State state = mechanics::initial_state(model, map);
  const mechanics::State start = state;
  std::vector<contact::Contact> contacts;
  const int mesh = model::participant_index(model, test::surface(0));
  for (const bool is_warm : {false, true}) {
    const long before = allocation_requests;
    for (int step = 0; step < 20; ++step) {
      for (int rule = 0; rule < 3; ++rule) EXPECT_LT(set.minimum_gap(state, rule), 2);
      for (const int other : {1, face}) EXPECT_LT(set.minimum_gap(state, other == face ? 2 : 0, 0, other), 20);
      EXPECT_LT(set.minimum_gap(state, 2, 0, mesh), 20);
      set.detect(state, 0, contacts);
      mechanics::advance(map, state.q, state.v, 0.01, state.q);
    }
    EXPECT_EQ(allocation_requests == before, is_warm);
    state = start;
  }
}

TEST(Allocation, CoefficientsOfSpeedAllocateNothing) {
  model::Model model = test::balls_on_a_plane(5);
  model.contacts[0].law.friction = model::Coefficient(math::Expression::parse("0.1 + 0.2*exp(-speed)"));
  model.contacts[0].law.restitution = model::Coefficient(math::Expression::parse("1/(1 + speed)"));
  Simulation simulation(model, test::settings_for(1, 1e-3));
  std::size_t record = 0;
  allocations_of_steps(simulation, 300, record);
  EXPECT_EQ(allocations_of_steps(simulation, 1000, record), 0);
  EXPECT_GT(simulation.statistics().contacts_sum, 100);
}

TEST(Allocation, LinearSpringsAllocateNothing) {
  model::Model model = test::balls_on_a_plane(3);
  const int first = test::add_point(model, 1, Vector3(0, 3, 0)), second = test::add_point(model, 1, Vector3(0, 5, 0));
  test::add_spring(model, {}, {{first}, Vector3::Zero()}, 50, 1, 1, Vector3::UnitY());
  test::add_spring(model, {{first}, Vector3::Zero()}, {{second}, Vector3::Zero()}, 50, 1, 1, Vector3::UnitY());
  Simulation simulation(model, test::settings_for(1, 1e-3));
  std::size_t record = 0;
  allocations_of_steps(simulation, 300, record);
  EXPECT_EQ(allocations_of_steps(simulation, 500, record), 0);
}

// Linear ones in the plane, and in space one whose matrix is block-diagonal.
TEST(Allocation, TorsionSpringsAllocateNothing) {
  for (const bool planar : {true, false}) {
    model::Model model = test::balls_on_a_plane(3, planar);
    if (planar) test::add_torsion_spring(model, 0, 1, Vector3::UnitZ(), 1, 0.1, 30);
    test::add_torsion_spring(model, -1, 2, Vector3::UnitZ(), 1, 0.1, 30);
    Simulation simulation(model, test::settings_for(1, 1e-3));
    std::size_t record = 0;
    allocations_of_steps(simulation, 2000, record);  // until balls that rest have been lifted
    EXPECT_EQ(allocations_of_steps(simulation, 500, record), 0);
  }
}

// A chain of three bars that hangs from the world and strikes a plane, beside balls that nothing holds.
TEST(Allocation, JointsAllocateNothing) {
  for (const bool planar : {true, false}) {
    model::Model model = test::balls_on_a_plane(3, planar);
    for (int i = 0; i < 3; ++i) {
      const int bar = test::add_ball(model, 1, 0.3, Vector3(i, 1, 0));
      model::Joint joint;
      joint.name = "hinge" + std::to_string(i);
      joint.type = model::JointType::revolute;
      joint.first.attachment =
          i == 0 ? model::Attachment{{}, Vector3(-0.5, 1, 0)} : model::Attachment{{bar - 1}, Vector3(0.5, 0, 0)};
      joint.second.attachment = {{bar}, Vector3(-0.5, 0, 0)};
      model.joints.push_back(joint);
      test::add_contact(model, {test::body(bar)}, {test::surface(0)}, {0.2, 0.3, 0});
    }
    Simulation simulation(model, test::settings_for(1, 1e-3));
    std::size_t record = 0;
    // A new set of contacts that hold jointed bodies is a new pattern, which is analysed: that allocates. So wait until
    // the chain lies still.
    allocations_of_steps(simulation, 6000, record);
    EXPECT_EQ(allocations_of_steps(simulation, 1000, record), 0);
    EXPECT_GE(record, 5U);
  }
}

// Not yet a solver of steps: frames in a row on the ground and on each other, with contacts of all kinds.
TEST(Allocation, BodySweepsAllocateNothing) {
  const int count = 20;
  cone::GlobalContactProblem problem;
  const std::vector<int> nodes(count, 6), sizes = {3, 3, 3, 1, 2, 5, 6};
  problem.mass.reset(nodes);
  problem.gradients.reset(nodes);
  for (int i = 0; i < count; ++i) {
    problem.mass.begin_row(6);
    problem.mass.append(i) = MatrixX(Vector6(1 + Vector6::LinSpaced(i % 3, 1).array()).asDiagonal());
    const int size = sizes[i % sizes.size()];
    problem.gradients.begin_row(size);
    problem.gradients.append(i) = MatrixX::Identity(size, 6);
    if (i + 1 < count) problem.gradients.append(i + 1) = -0.5 * MatrixX::Identity(size, 6);
    problem.friction.emplace_back(0.3, 0.1, 0.1);
    problem.bilateral.push_back(static_cast<char>(i % 5 == 4));
  }
  problem.momentum = VectorX::LinSpaced(6 * count, -1, -0.1);
  problem.surface_velocity = VectorX::Zero(problem.gradients.scalar_rows());
  cone::BodySweeps solver;
  linalg::ReusableVector impulses;
  ASSERT_EQ(solver.solve(problem, impulses).status, cone::SolveStatus::converged);
  impulses.setZero();
  const long before = allocation_requests;
  const cone::SolveReport report = solver.solve(problem, impulses);
  EXPECT_EQ(allocation_requests - before, 0);
  EXPECT_GT(report.iterations, 1);
}

TEST(Allocation, ALongRunAllocatesNothing) {
  const model::Model model = test::balls_on_a_plane(3);
  Simulation simulation(model, test::settings_for(1, 1e-3));
  std::size_t record = 0;
  allocations_of_steps(simulation, 300, record);
  EXPECT_EQ(allocations_of_steps(simulation, 100'000, record), 0);
}

// Nonlinear springs factorise a sparse matrix in every Newton step, which needs memory; none of it stays.
TEST(Allocation, NonlinearSpringsKeepNoMemory) {
  const model::Model model = test::machine_with_everything();
  Simulation simulation(model, test::settings_for(1, 1e-3));
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(simulation.step()) << simulation.failure();
  const std::size_t before = mallinfo2().uordblks;
  // To t = 3.5 s: in one step soon after, contacts that open and close keep the equations of motion from converging.
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(simulation.step()) << simulation.failure();
  EXPECT_LE(mallinfo2().uordblks, before + 10'000);
}

}  // namespace
}  // namespace ricochet::simulation

#endif
