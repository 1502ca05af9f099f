// Degrees of freedom, redundant joints and singular positions of machines whose mobility is known.
#include "ricochet/mechanics/joints/mobility.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/joint_checks.hpp"
#include "ricochet/linalg/row_rank.hpp"

namespace ricochet::mechanics {
namespace {

using model::JointType;

// A joint between two bodies (-1: the world), at a point and along an axis of the world.
void join(model::Model& model, JointType type, int first, int second, const Vector3& at,
          const Vector3& axis = Vector3::UnitZ()) {
  const auto frame = [&](int node) -> model::JointFrame {
    const math::Quaternion axes = model::axes_along(axis);
    if (node < 0) return {{{}, at}, axes};
    const model::Node& body = model.nodes[node];
    return {{{node}, body.orientation.rotate_inverse(at - body.position)},
            (body.orientation.conjugate() * axes).normalized()};
  };
  model::Joint joint;
  joint.name = "joint" + std::to_string(model.joints.size());
  joint.type = type;
  joint.first = frame(first);
  joint.second = frame(second);
  model.joints.push_back(joint);
}

// A bar between two points, with its x axis along it.
int add_bar(model::Model& model, const Vector3& from, const Vector3& to) {
  const auto turn = math::Quaternion::from_matrix([&] {
    Matrix3 axes;
    const Vector3 x = (to - from).normalized();
    const Vector3 helper = std::abs(x.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitY();
    const Vector3 y = math::cross(helper, x).normalized();
    axes << x, y, math::cross(x, y);
    return axes;
  }());
  return test::add_box(model, (to - from).norm(), Vector3(0.5 * (to - from).norm(), 0.02, 0.02), 0.5 * (from + to),
                       turn);
}

// A loop of bars from point to point, the last of which is the frame, with hinges.
model::Model loop(const std::vector<Vector3>& points, const std::vector<Vector3>& axes, bool planar = false) {
  model::Model model;
  model.planar = planar;
  const int count = static_cast<int>(points.size());
  for (int i = 0; i + 1 < count; ++i) add_bar(model, points[i], points[i + 1]);
  for (int i = 0; i < count; ++i) {
    join(model, JointType::revolute, i - 1, i + 1 < count ? i : -1, points[i], axes[static_cast<std::size_t>(i)]);
  }
  return model;
}

std::vector<Vector3> four_bar_points() { return {{0, 0, 0}, {0.2, 0.3, 0}, {1, 0.7, 0}, {0.9, 0, 0}}; }

Mobility mobility_of(const model::Model& model) { return mobility(model, Equations(model)); }

int rows_in(const Mobility& result, const std::string& name) {
  for (const auto& joint : result.dependent) {
    if (joint.name == name) return joint.rows;
  }
  return 0;
}

TEST(Mobility, WithoutJoints) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  test::add_point(model, 1, Vector3::Zero());
  const Mobility result = mobility_of(model);
  EXPECT_EQ(result.components, 9);
  EXPECT_EQ(result.degrees_of_freedom(), 9);
  EXPECT_EQ(result.redundant_rows(), 0);
  EXPECT_FALSE(result.conditioning);
  model.planar = true;
  EXPECT_EQ(mobility_of(model).degrees_of_freedom(), 3 + 2);
}

// What each type leaves of the six motions of a body.
TEST(Mobility, OfSingleJoints) {
  math::Random random(71);
  for (const JointType type : {JointType::ball, JointType::revolute, JointType::universal, JointType::cylindrical,
                               JointType::prismatic, JointType::planar, JointType::fixed, JointType::screw}) {
    test::JointCase made = test::random_joint_case(type, test::JointSides::first_in_world, random);
    made.model.joints = made.joints;
    const Mobility result = mobility_of(made.model);
    const int expected = type == JointType::ball ? 3 : type == JointType::screw ? 1 : coordinate_count(type);
    EXPECT_EQ(result.degrees_of_freedom(), expected) << name_of(type);
    EXPECT_EQ(result.redundant_rows(), 0) << name_of(type);
    EXPECT_FALSE(result.is_singular());
    EXPECT_GE(*result.conditioning, 1);
    EXPECT_LE(*result.conditioning, 1e3);
  }
}

// A second and a third hinge in the line of the first say nothing new.
TEST(Mobility, ADoorOnThreeHinges) {
  model::Model model;
  test::add_box(model, 2, Vector3(0.5, 0.02, 1), Vector3(0.5, 0, 0));
  for (const double z : {-0.9, 0.0, 0.8}) join(model, JointType::revolute, -1, 0, Vector3(0, 0, z));
  const Mobility result = mobility_of(model);
  EXPECT_EQ(result.rows, 15);
  EXPECT_EQ(result.degrees_of_freedom(), 1);
  EXPECT_EQ(result.redundant_rows(), 10);
  ASSERT_EQ(result.dependent.size(), 2U);
  EXPECT_EQ(result.dependent[0].name, "joint1");
  EXPECT_EQ(result.dependent[0].rows, 5);
  EXPECT_EQ(result.dependent[1].rows, 5);
  EXPECT_FALSE(result.is_singular());
  // Out of line it does not turn, and the rows that held it in line are not redundant any more.
  model.joints[2].first.attachment.offset.x() += 0.1;
  model.joints[2].second.attachment.offset.x() += 0.1;
  EXPECT_EQ(mobility_of(model).degrees_of_freedom(), 0);
  EXPECT_EQ(mobility_of(model).redundant_rows(), 9);
}

// Four hinges in space: 18 components and 20 rows. That all bars stay in the plane, each of three bars says with three
// rows (out of it, and two tilts); a fourth hinge says it once more.
TEST(Mobility, AFourBarLinkage) {
  const std::vector<Vector3> parallel(4, Vector3::UnitZ());
  const Mobility in_space = mobility_of(loop(four_bar_points(), parallel));
  EXPECT_EQ(in_space.components, 18);
  EXPECT_EQ(in_space.rows, 20);
  EXPECT_EQ(in_space.degrees_of_freedom(), 1);
  EXPECT_EQ(in_space.redundant_rows(), 3);
  EXPECT_EQ(rows_in(in_space, "joint3"), 3);
  EXPECT_FALSE(in_space.is_singular());
  const Mobility in_plane = mobility_of(loop(four_bar_points(), parallel, true));
  EXPECT_EQ(in_plane.components, 9);
  EXPECT_EQ(in_plane.rows, 8);
  EXPECT_EQ(in_plane.degrees_of_freedom(), 1);
  EXPECT_EQ(in_plane.redundant_rows(), 0);
  // One hinge that is not parallel blocks it.
  std::vector<Vector3> tilted = parallel;
  tilted[1] = Vector3(0.1, 0, 1);
  EXPECT_EQ(mobility_of(loop(four_bar_points(), tilted)).degrees_of_freedom(), 0);
  // Ball joints at both ends of a coupler instead: it may also turn about itself.
  model::Model coupler = loop(four_bar_points(), parallel);
  coupler.joints[1].type = coupler.joints[2].type = JointType::ball;
  EXPECT_EQ(mobility_of(coupler).degrees_of_freedom(), 2);
  EXPECT_EQ(mobility_of(coupler).redundant_rows(), 0);
}

// R. Bricard's trihedral linkage: six equal links, each hinge normal to the next, here along edges of a cube.
// Counting gives 5 * 6 - 6 * 5 = 0, but it moves.
std::vector<Vector3> cube_path() { return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}}; }

TEST(Mobility, BricardsLinkage) {
  const std::vector<Vector3> axes = {Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX(),
                                     Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX()};
  const Mobility moves = mobility_of(loop(cube_path(), axes));
  EXPECT_EQ(moves.components, 30);
  EXPECT_EQ(moves.rows, 30);
  EXPECT_EQ(moves.degrees_of_freedom(), 1);
  EXPECT_EQ(moves.redundant_rows(), 1);
  EXPECT_EQ(rows_in(moves, "joint5"), 1);
  EXPECT_FALSE(moves.is_singular());
  // With a hinge that is not normal to the next it is a structure.
  std::vector<Vector3> tilted = axes;
  tilted[2] = Vector3(1, 0.2, 0);
  const Mobility stands = mobility_of(loop(cube_path(), tilted));
  EXPECT_EQ(stands.degrees_of_freedom(), 0);
  EXPECT_EQ(stands.redundant_rows(), 0);
}

// A parallelogram at the angle a. Flat, it can go on in two ways.
model::Model parallelogram(double angle, bool planar = true) {
  const Vector3 crank(std::cos(angle), std::sin(angle), 0);
  return loop({Vector3::Zero(), crank, crank + Vector3(2, 0, 0), Vector3(2, 0, 0)},
              std::vector<Vector3>(4, Vector3::UnitZ()), planar);
}

TEST(Mobility, AFlatParallelogramIsSingular) {
  for (const bool planar : {true, false}) {
    const Mobility flat = mobility_of(parallelogram(0, planar));
    EXPECT_EQ(flat.components - flat.rank, 2);
    EXPECT_TRUE(flat.is_singular());
    EXPECT_EQ(flat.degrees_of_freedom(), 1);
    EXPECT_EQ(flat.redundant_rows(), planar ? 0 : 3);
    EXPECT_GE(*flat.conditioning, 1e12);
  }
  const Mobility upright = mobility_of(parallelogram(1.5));
  EXPECT_FALSE(upright.is_singular());
  EXPECT_LE(*upright.conditioning, 100);
  // The smallest singular value falls with the angle.
  double last = *mobility_of(parallelogram(1e-1)).conditioning;
  for (double angle = 1e-2; angle > 1e-9; angle *= 0.1) {
    const Mobility nearly = mobility_of(parallelogram(angle));
    EXPECT_FALSE(nearly.is_singular());
    EXPECT_NEAR(*nearly.conditioning / last, 10, 1);
    last = *nearly.conditioning;
  }
  EXPECT_GT(last, 1e8);
}

// Two bars in one line between walls: their middle hinge has a velocity across, but cannot move.
TEST(Mobility, AShakyStructure) {
  const auto bars = [](double sag) {
    return loop({Vector3(-1, 0, 0), Vector3(0, -sag, 0), Vector3(1, 0, 0)}, std::vector<Vector3>(3, Vector3::UnitZ()),
                true);
  };
  const Mobility shaky = mobility_of(bars(0));
  EXPECT_EQ(shaky.components - shaky.rank, 1);
  EXPECT_TRUE(shaky.is_singular());
  EXPECT_EQ(shaky.degrees_of_freedom(), 0);
  EXPECT_EQ(mobility_of(bars(0.5)).degrees_of_freedom(), 0);
  EXPECT_FALSE(mobility_of(bars(0.5)).is_singular());
}

// A drive takes a degree of freedom; a second one that drives the same takes none. So do velocity rows.
TEST(Mobility, DrivesAndVelocityRows) {
  model::Model model = loop(four_bar_points(), std::vector<Vector3>(4, Vector3::UnitZ()), true);
  model::Joint drive;
  drive.name = "motor";
  drive.type = JointType::drive;
  drive.coupled[0] = {{0}, 0};
  model.joints.push_back(drive);
  EXPECT_EQ(mobility_of(model).degrees_of_freedom(), 0);
  EXPECT_EQ(mobility_of(model).redundant_rows(), 0);
  drive.name = "again";
  drive.coupled[0] = {{3}, 0};
  model.joints.push_back(drive);
  EXPECT_EQ(rows_in(mobility_of(model), "again"), 1);
  model.velocity_rows.push_back({.name = "spin",
                                 .kind = model::VelocityKind::rotation,
                                 .first = {},
                                 .second = {{0}, {}},
                                 .axis = Vector3::UnitZ(),
                                 .speed = {}});
  const Mobility result = mobility_of(model);
  EXPECT_EQ(result.redundant_rows(), 2);
  EXPECT_EQ(rows_in(result, "again"), 1);
  EXPECT_EQ(rows_in(result, "spin"), 1);
}

// Crosses in a square net, hinged tip to tip: a closed sheet of linkages with far more rows than components that
// unfolds with one degree of freedom (the rotating squares) besides the six of a rigid body. Dense and sparse.
TEST(Mobility, ANetOfCrosses) {
  for (const int side : {3, 9}) {
    model::Model model;
    for (int i = 0; i < side * side; ++i) {
      test::add_box(model, 1, Vector3(0.5, 0.5, 0.02), Vector3(i % side, static_cast<double>(i / side), 0));
    }
    for (int i = 0; i < side * side; ++i) {
      const Vector3 middle = model.nodes[i].position;
      if (i % side + 1 < side) join(model, JointType::revolute, i, i + 1, middle + Vector3(0.5, 0, 0));
      if (i / side + 1 < side) join(model, JointType::revolute, i, i + side, middle + Vector3(0, 0.5, 0));
    }
    const Mobility result = mobility_of(model);
    EXPECT_EQ(result.rows, 10 * side * (side - 1));
    EXPECT_EQ(result.degrees_of_freedom(), 7);
    EXPECT_EQ(result.redundant_rows(), result.rows - 6 * side * side + 7);
    EXPECT_FALSE(result.is_singular());
    EXPECT_EQ(result.conditioning.has_value(), side == 3);
  }
}

// More rows than are looked at.
TEST(Mobility, VeryLargeMachinesAreNotCounted) {
  model::Model model;
  test::add_ball(model, 1, 1, Vector3::Zero());
  for (int i = 0; i <= linalg::most_sparse_rows / 6; ++i) join(model, JointType::fixed, -1, 0, Vector3::Zero());
  const Mobility result = mobility_of(model);
  EXPECT_GT(result.rows, linalg::most_sparse_rows);
  EXPECT_FALSE(result.counted);
}

// Many linkages: beyond what is done densely. All of them are found, and nothing is said of the conditioning.
TEST(Mobility, ManyLinkages) {
  model::Model model;
  const int count = 25;
  for (int i = 0; i < count; ++i) {
    const model::Model one = loop(four_bar_points(), std::vector<Vector3>(4, Vector3::UnitZ()));
    const int nodes = static_cast<int>(model.nodes.size());
    for (model::Node node : one.nodes) {
      node.position.z() += i;
      model.nodes.push_back(node);
    }
    for (model::Body body : one.bodies) {
      body.node.index += nodes;
      model.bodies.push_back(body);
    }
    for (model::Joint joint : one.joints) {
      joint.name = std::to_string(i) + joint.name;
      for (model::JointFrame* frame : {&joint.first, &joint.second}) {
        if (frame->attachment.node.valid()) {
          frame->attachment.node.index += nodes;
        } else {
          frame->attachment.offset.z() += i;
        }
      }
      model.joints.push_back(joint);
    }
  }
  const Mobility result = mobility_of(model);
  EXPECT_EQ(result.rows, 20 * count);
  EXPECT_EQ(result.degrees_of_freedom(), count);
  EXPECT_EQ(result.redundant_rows(), 3 * count);
  ASSERT_EQ(result.dependent.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(result.dependent[4].name, "4joint3");
  EXPECT_EQ(result.dependent[4].rows, 3);
  EXPECT_FALSE(result.conditioning);
  EXPECT_FALSE(result.is_singular());
}

}  // namespace
}  // namespace ricochet::mechanics
