// The slider-crank of bench/jointed_machines with Siconos, ideal joints, 10,000 steps of 1e-5 s without output. Prints
// one line for bench/peers/run:
//   steps per second of processor time in the fastest of the runs; x and y of the crank's middle and x of the slider at
//   the end (m); the same three in the limit of small steps, by extrapolation from this step and half of it
//
//   siconos_slider_crank plane|space drifting|closed
//
// plane   three planar bodies (LagrangianLinearTIDS); relations compiled into this program: the fastest way that the
//         package has, in C++ without plug-ins.
// space   three rigid bodies (NewtonEulerDS) with the package's joints: PivotJointR of the crank, PrismaticJointR of
// the
//         slider, and KneeJointR (ball joints) at both ends of the rod. Hinges there would be redundant, and its direct
//         solver of equalities stops at the singular matrix; the motion is the same.
//
// drifting  TimeStepping with MoreauJeanOSI, one evaluation per step: what its examples do, and the fastest. Joints
// open
//           in the course of time.
// closed    TimeSteppingDirectProjection: at the end of every step joints are closed again, to 1e-9 m.
//
// The relations hold at the velocity of the end of a step and the gradients belong to predicted positions, so that the
// scheme is of first order; hence the extrapolation.
#include <SolverOptions.h>
#include <KneeJointR.hpp>
#include <MLCPProjectOnConstraints.hpp>
#include <MoreauJeanDirectProjectionOSI.hpp>
#include <PivotJointR.hpp>
#include <PrismaticJointR.hpp>
#include <SiconosKernel.hpp>
#include <TimeSteppingDirectProjection.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace {

constexpr double crank = 0.153, rod = 0.306, speed = 150;  // m, m, rad/s
constexpr double step = 1e-5, end = 0.1;                   // s

using Motion = std::array<double, 3>;

std::shared_ptr<SiconosVector> vector(std::initializer_list<double> values) {
  auto result = std::make_shared<SiconosVector>(values.size());
  std::copy(values.begin(), values.end(), result->getArray());
  return result;
}

struct BodyData {
  double x, velocity_y, spin, mass, inertia;
};
constexpr BodyData bodies[] = {{crank / 2, speed* crank / 2, speed, 0.038, 7.4e-5},
                               {crank + rod / 2, speed* crank / 2, -speed* crank / rod, 0.038, 5.9e-4},
                               {crank + rod, 0, 0, 0.076, 2.7e-6}};

// The points (a, 0) of the first and (b, 0) of the second body coincide, or that of a single body and the origin.
class Pin : public LagrangianScleronomousR {
 public:
  Pin(double a, double b, bool between_bodies) : LagrangianScleronomousR(), a_(a), b_(b), between_(between_bodies) {
    _jachq = std::make_shared<SimpleMatrix>(2, between_ ? 6 : 3);
    _jachq->zero();
    const int second = between_ ? 3 : 0;
    for (int i = 0; i < 2; ++i) {
      if (between_) _jachq->setValue(i, i, -1);
      _jachq->setValue(i, second + i, 1);
    }
  }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    const int second = between_ ? 3 : 0;
    double x = q(second) + b_ * std::cos(q(second + 2)), z = q(second + 1) + b_ * std::sin(q(second + 2));
    if (between_) {
      x -= q(0) + a_ * std::cos(q(2));
      z -= q(1) + a_ * std::sin(q(2));
    }
    y.setValue(0, x);
    y.setValue(1, z);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    const int second = between_ ? 3 : 0;
    _jachq->setValue(0, second + 2, -b_ * std::sin(q(second + 2)));
    _jachq->setValue(1, second + 2, b_ * std::cos(q(second + 2)));
    if (!between_) return;
    _jachq->setValue(0, 2, a_ * std::sin(q(2)));
    _jachq->setValue(1, 2, -a_ * std::cos(q(2)));
  }

 private:
  double a_, b_;
  bool between_;
};

// The slider keeps its height and does not turn.
class Guide : public LagrangianScleronomousR {
 public:
  Guide() : LagrangianScleronomousR() {
    _jachq = std::make_shared<SimpleMatrix>(2, 3);
    _jachq->zero();
    _jachq->setValue(0, 1, 1);
    _jachq->setValue(1, 2, 1);
  }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y.setValue(0, q(1));
    y.setValue(1, q(2));
  }
  void computeJachq(const BlockVector&, BlockVector&) override {}
};

using System = std::shared_ptr<NonSmoothDynamicalSystem>;
using Bodies = std::vector<std::shared_ptr<SecondOrderDS>>;

template <class Relation>
void link(System& machine, int rows, std::shared_ptr<Relation> relation, const std::shared_ptr<SecondOrderDS>& first,
          const std::shared_ptr<SecondOrderDS>& second = {}) {
  machine->link(std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(rows), relation), first, second);
}

Bodies build_plane(System& machine) {
  Bodies result;
  for (const BodyData& data : bodies) {
    auto mass = std::make_shared<SimpleMatrix>(3, 3);
    for (int i = 0; i < 3; ++i) mass->setValue(i, i, i < 2 ? data.mass : data.inertia);
    result.push_back(
        std::make_shared<LagrangianLinearTIDS>(vector({data.x, 0, 0}), vector({0, data.velocity_y, data.spin}), mass));
    machine->insertDynamicalSystem(result.back());
  }
  link(machine, 2, std::make_shared<Pin>(0, -crank / 2, false), result[0]);
  link(machine, 2, std::make_shared<Pin>(crank / 2, -rod / 2, true), result[0], result[1]);
  link(machine, 2, std::make_shared<Pin>(rod / 2, 0, true), result[1], result[2]);
  link(machine, 2, std::make_shared<Guide>(), result[2]);
  return result;
}

Bodies build_space(System& machine) {
  std::vector<std::shared_ptr<NewtonEulerDS>> solids;
  for (const BodyData& data : bodies) {
    auto inertia = std::make_shared<SimpleMatrix>(3, 3);
    for (int i = 0; i < 3; ++i) inertia->setValue(i, i, data.inertia);
    solids.push_back(std::make_shared<NewtonEulerDS>(
        vector({data.x, 0, 0, 1, 0, 0, 0}), vector({0, data.velocity_y, 0, 0, 0, data.spin}), data.mass, inertia));
    machine->insertDynamicalSystem(solids.back());
  }
  link(machine, 5, std::make_shared<PivotJointR>(vector({0, 0, 0}), vector({0, 0, 1}), true, solids[0]), solids[0]);
  link(machine, 3, std::make_shared<KneeJointR>(vector({crank, 0, 0}), true, solids[0], solids[1]), solids[0],
       solids[1]);
  link(machine, 3, std::make_shared<KneeJointR>(vector({crank + rod, 0, 0}), true, solids[1], solids[2]), solids[1],
       solids[2]);
  link(machine, 5, std::make_shared<PrismaticJointR>(vector({1, 0, 0}), true, solids[2]), solids[2]);
  return {solids.begin(), solids.end()};
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

struct Run {
  double steps_per_second = 0;
  Motion motion = {};
};

Run run(bool planar, bool closed, double h) {
  auto machine = std::make_shared<NonSmoothDynamicalSystem>(0, end);
  const Bodies solids = planar ? build_plane(machine) : build_space(machine);
  auto clock = std::make_shared<TimeDiscretisation>(0, h);
  auto solver = std::make_shared<Equality>();
  std::shared_ptr<TimeStepping> simulation;
  if (closed) {
    auto projection = std::make_shared<MLCPProjectOnConstraints>(SICONOS_MLCP_ENUM);
    auto projecting = std::make_shared<TimeSteppingDirectProjection>(
        machine, clock, std::make_shared<MoreauJeanDirectProjectionOSI>(0.5), solver, projection, 1);
    projecting->setConstraintTol(1e-9);
    projecting->setProjectionMaxIteration(20);
    simulation = projecting;
  } else {
    simulation = std::make_shared<TimeStepping>(machine, clock, std::make_shared<MoreauJeanOSI>(0.5), solver);
  }
  simulation->setNewtonTolerance(1e-10);
  simulation->setNewtonOptions(SICONOS_TS_LINEAR);
  long steps = 0;
  const double begin = processor_seconds();
  while (simulation->hasNextEvent()) {
    simulation->computeOneStep();
    simulation->nextStep();
    ++steps;
  }
  const double seconds = processor_seconds() - begin;
  const SiconosVector &first = *solids[0]->q(), &last = *solids[2]->q();
  return {steps / seconds, {first(0), first(1), last(0)}};
}

}  // namespace

int main(int argc, char** argv) {
  const bool planar = argc > 1 && std::strcmp(argv[1], "plane") == 0;
  const bool closed = argc > 2 && std::strcmp(argv[2], "closed") == 0;
  Run fastest;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const Run result = run(planar, closed, step);
    if (result.steps_per_second > fastest.steps_per_second) fastest = result;
  }
  const Motion finer = run(planar, closed, step / 2).motion;
  std::printf("%.0f", fastest.steps_per_second);
  for (const double x : fastest.motion) std::printf(" %.12f", x);
  for (int i = 0; i < 3; ++i) std::printf(" %.12f", 2 * finer[i] - fastest.motion[i]);
  std::printf("\n");
}
