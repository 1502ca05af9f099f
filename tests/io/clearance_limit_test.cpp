// As the clearance goes to zero the motion goes to that of the ideal joint: each type of clearance joint against the
// joint that it is a loose one of, with all schemes.
//
// Where a body is differs by at most the clearance c where the joint is, and loads that the joint carries act at places
// that differ by as much: forces of the whole machine differ by a part c/length, and so do velocities and places over a
// given time. Impacts where the load changes sides add less: with a load that grows in proportion to the time t since
// then, c = j t^3/6, and the energy of the impact goes with (j t^2/2)^2, so with c^(4/3). The distance of the
// trajectories is k c (1 + O(c^(1/3))), and the order is 1. The last term is not small for clearances that can be
// computed: for a range of c of 1 : 8 about c/length = 1/500 it changes the distance by the part (1/500)^(1/3) (1 -
// 1/2) = 0.06 over the range, the order by 0.06/log(8) = 0.03; places at which a part of the machine bounces or swings
// in its clearance add differences of the same size.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ricochet/io/scene_reader.hpp"
#include "ricochet/simulation/simulation.hpp"
#include "ricochet/study/order_fit.hpp"

namespace ricochet::test {
namespace {

// Places of one node at all steps.
std::vector<Vector3> places_of(const std::string& text, int node) {
  const study::Case scene = io::read_scene_text(text, "limit.yaml").run_case;
  simulation::Simulation run(scene.model, scene.settings);
  std::vector<Vector3> places;
  const mechanics::DofMap map(scene.model);
  while (run.snapshot().step_index < run.step_count()) {
    if (!run.step()) {
      ADD_FAILURE() << run.failure();
      break;
    }
    places.push_back(mechanics::position(map, run.snapshot().instant.state, node));
  }
  return places;
}

// A pendulum, hanging at the lowest point of its bearing at the start.
std::string pendulum_text(const std::string& scheme, bool planar, double clearance, const std::string& joint,
                          double along_axis = 0) {
  return fmt::format(
      "ricochet: 1\nplanar: {}\ngravity: [0, -9.81, {}]\ntime: {{end: 0.8, step: 2e-4}}\nintegrator: {{scheme: {}}}\n"
      "bodies:\n  body: {{mass: 0.8, inertia: 0.02, position: [0, {:.17g}, 0], velocity: [2, 0, 0], angular_velocity: "
      "[0, 0, 4]}}\n{}\n",
      planar, along_axis, scheme, -0.5 - clearance, joint);
}

// A slider-crank that runs on with the speed that it has.
std::string crank_text(const std::string& scheme, const std::string& guide, const std::string& clearances) {
  return fmt::format(
      "ricochet: 1\nplanar: true\ngravity: [0, -9.81, 0]\ntime: {{end: 0.3, step: 4e-5}}\nintegrator: {{scheme: {}}}\n"
      "bodies:\n"
      "  slider: {{mass: 0.5, inertia: 6e-4, position: [0.45, 0, 0]}}\n"
      "  crank: {{mass: 0.3, inertia: 6e-4, position: [0.075, 0, 0], velocity: [0, 1.5, 0], angular_velocity: 20}}\n"
      "  rod: {{mass: 0.3, inertia: 2.4e-3, position: [0.3, 0, 0], velocity: [0, 1.5, 0], angular_velocity: -10}}\n"
      "joints:\n"
      "  shaft: {{type: revolute, second: crank, at: [0, 0, 0]}}\n"
      "  pin: {{type: revolute, first: crank, second: rod, at: [0.15, 0, 0]}}\n"
      "  wrist: {{type: revolute, first: rod, second: slider, at: [0.45, 0, 0]}}\n{}\n{}\n",
      scheme, guide, clearances);
}

// `text` of a clearance; 0 is the ideal joint. Prints the distances and checks their order.
template <class Text>
void expect_first_order(const std::string& what, double largest, const Text& text) {
  const std::vector<Vector3> ideal = places_of(text(0), 0);
  std::vector<study::ErrorPoint> points;
  std::string line;
  for (const double clearance : {largest, largest / 2, largest / 4, largest / 8}) {
    const std::vector<Vector3> places = places_of(text(clearance), 0);
    ASSERT_EQ(places.size(), ideal.size());
    double distance = 0;
    for (std::size_t i = 0; i < places.size(); ++i) distance = std::max(distance, (places[i] - ideal[i]).norm());
    points.push_back({clearance, distance});
    line += fmt::format("  {:.3g}: {:.3g}", clearance, distance);
    EXPECT_GT(distance, 0.5 * clearance);
  }
  const double order = study::fit_order(points, 0).order;
  fmt::print("{}: order {:.3f}, distance of each clearance{}\n", what, order, line);
  EXPECT_NEAR(order, 1, 0.1) << what << line;
}

constexpr std::array<const char*, 3> all_schemes = {"nonsmooth-generalized-alpha", "moreau-jean", "moreau-midpoint"};

TEST(ClearanceLimit, Spherical) {
  for (const std::string scheme : all_schemes) {
    expect_first_order("spherical, " + scheme, 4e-3, [&](double c) {
      return pendulum_text(
          scheme, false, c,
          c == 0 ? "joints: {j: {type: ball, second: body, at: [0, 0, 0]}}"
                 : fmt::format("clearances: {{j: {{type: spherical, between: [body, world], at_first: [0, 0.5, 0], "
                               "at_second: [0, 0, 0], radius: 0.02, clearance: {}}}}}",
                               c));
    });
  }
}

TEST(ClearanceLimit, RevoluteInThePlaneAndInSpace) {
  for (const std::string scheme : all_schemes) {
    for (const bool planar : {true, false}) {
      expect_first_order(
          fmt::format("revolute in {}, {}", planar ? "the plane" : "space", scheme), 4e-3, [&](double c) {
            return pendulum_text(
                scheme, planar, c,
                c == 0
                    ? "joints: {j: {type: revolute, second: body, at: [0, 0, 0]}}"
                    : fmt::format("clearances: {{j: {{type: revolute, between: [body, world], at_first: [0, 0.5, 0], "
                                  "at_second: [0, 0, 0], radius: 0.02, clearance: {}{}}}}}",
                                  c, planar ? "" : ", length: 0.05, axial_clearance: 1e-3"));
          });
    }
  }
}

// Gravity along the axis tilts the pin until its rims touch at opposite sides, and presses an end on its thrust face.
TEST(ClearanceLimit, RevoluteInSpaceUnderALoadAlongTheAxis) {
  expect_first_order("revolute in space, tilted", 2e-3, [&](double c) {
    return pendulum_text(
        "nonsmooth-generalized-alpha", false, c,
        c == 0 ? "joints: {j: {type: revolute, second: body, at: [0, 0, 0]}}"
               : fmt::format(
                     "clearances: {{j: {{type: revolute, between: [body, world], at_first: [0, 0.5, 0], at_second: "
                     "[0, 0, 0], radius: 0.02, clearance: {}, length: 0.05, axial_clearance: {}}}}}",
                     c, c),
        -5);
  });
}

TEST(ClearanceLimit, Translational) {
  for (const std::string scheme : all_schemes) {
    expect_first_order("translational, " + scheme, 1e-3, [&](double c) {
      return c == 0 ? crank_text(scheme, "  guide: {type: prismatic, second: slider, axis: [1, 0, 0]}", "")
                    : crank_text(
                          scheme, "",
                          fmt::format("clearances: {{guide: {{type: translational, between: [slider, world], length: "
                                      "0.1, width: 0.05, clearance: {}}}}}",
                                      c));
    });
  }
}

}  // namespace
}  // namespace ricochet::test
