// The rocking block of Acary & Collins-Craft 2024, sec. 5.2, with Siconos: the same scheme, step and solver tolerance
// as scenes/acary-5.2-rocking-block.yaml, without output. Prints one line for bench/peers/run:
//   steps per second of processor time in the fastest of ten runs, and x, y and rotation at the end
//
// This is the fastest way that the package offers for it: its C++ interface, relations compiled into this program
// (no Python and no plugin lookup in the loop), constant mass (LagrangianLinearTIDS), one evaluation per step (the
// system is linear for a given contact gradient), and its direct enumerative solver for two planar contacts, or NSGS.
#include <SolverOptions.h>
#include <SiconosKernel.hpp>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace {

constexpr double half_width = 0.5, half_height = 0.5, mass = 1, inertia = 1.0 / 12, gravity = 10;

// The lower corner on the side -1 (left) or +1 (right): gap and tangential displacement along -x. In a step Siconos
// asks for gap and gradient twice: where the block would be without contacts, and at the end. The paper takes the
// gradient at the start of the step, which is the end of the last one, so the first request is passed over.
class Corner : public LagrangianScleronomousR {
 public:
  explicit Corner(double side) : LagrangianScleronomousR(), side_(side) {
    _jachq = std::make_shared<SimpleMatrix>(2, 3);
    _jachq->zero();
    _jachq->setValue(0, 1, 1);
    _jachq->setValue(1, 0, -1);
  }
  void begin_step() { requests_ = 0; }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    ++requests_;
    const double s = std::sin(q.getValue(2)), c = std::cos(q.getValue(2));
    y.setValue(0, q.getValue(1) + side_ * half_width * s - half_height * c);
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    if (requests_ < 2) return;
    const double s = std::sin(q.getValue(2)), c = std::cos(q.getValue(2));
    _jachq->setValue(0, 2, side_ * half_width * c + half_height * s);
    _jachq->setValue(1, 2, side_ * half_width * s - half_height * c);
  }

 private:
  double side_;
  int requests_ = 2;  // of the gap, in this step
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

struct Run {
  double steps_per_second = 0, x = 0, y = 0, rotation = 0;
};

Run run(bool enumerate) {
  const double h = 1e-4, end = 1;

  auto q0 = std::make_shared<SiconosVector>(3);
  auto v0 = std::make_shared<SiconosVector>(3);
  q0->setValue(1, 0.6);
  v0->setValue(1, -0.2);
  v0->setValue(2, 1);
  auto m = std::make_shared<SimpleMatrix>(3, 3);
  m->setValue(0, 0, mass);
  m->setValue(1, 1, mass);
  m->setValue(2, 2, inertia);
  auto block = std::make_shared<LagrangianLinearTIDS>(q0, v0, m);
  auto weight = std::make_shared<SiconosVector>(3);
  weight->setValue(1, -mass * gravity);
  block->setFExtPtr(weight);

  auto law = std::make_shared<NewtonImpactFrictionNSL>(1.0, 0.0, 0.1, 2);
  auto machine = std::make_shared<NonSmoothDynamicalSystem>(0, end);
  machine->insertDynamicalSystem(block);
  std::vector<std::shared_ptr<Corner>> relations;
  for (const double side : {-1.0, 1.0}) {
    relations.push_back(std::make_shared<Corner>(side));
    machine->link(std::make_shared<Interaction>(law, relations.back()), block);
  }

  auto scheme = std::make_shared<MoreauJeanOSI>(0.5);
  scheme->setGamma(0);  // contacts closed at the start of the step, as in the paper
  auto clock = std::make_shared<TimeDiscretisation>(0, h);
  auto solver = std::make_shared<FrictionContact>(2, enumerate ? SICONOS_FRICTION_2D_ENUM : SICONOS_FRICTION_2D_NSGS);
  solver->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  solver->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
  auto shared = std::make_shared<TimeStepping>(machine, clock, scheme, solver);
  TimeStepping& simulation = *shared;
  simulation.setNewtonOptions(SICONOS_TS_LINEAR);

  long steps = 0;
  const double begin = processor_seconds();
  while (simulation.hasNextEvent()) {
    for (const auto& relation : relations) relation->begin_step();
    simulation.computeOneStep();
    simulation.nextStep();
    ++steps;
  }
  const double seconds = processor_seconds() - begin;
  const SiconosVector& q = *block->q();
  return {steps / seconds, q(0), q(1), q(2)};
}

}  // namespace

int main(int argc, char** argv) {
  const bool enumerate = argc > 1 && std::strcmp(argv[1], "enumeration") == 0;
  Run fastest;
  for (int repetition = 0; repetition < 10; ++repetition) {
    const Run result = run(enumerate);
    if (result.steps_per_second > fastest.steps_per_second) fastest = result;
  }
  std::printf("%.0f %.12f %.12f %.12f\n", fastest.steps_per_second, fastest.x, fastest.y, fastest.rotation);
}
