#include "ricochet/io/overrides.hpp"

#include <gtest/gtest.h>

#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

study::Case overridden(const std::vector<std::string>& overrides) { return slide_case("", "", overrides); }

TEST(Overrides, ReachWhatIsWritten) {
  EXPECT_EQ(overridden({"bodies.block.position.1=0.7"}).model.nodes[0].position, Vector3(0, 0.7, 0));
  EXPECT_EQ(overridden({"parameters.speed=2*3"}).model.nodes[0].velocity.x(), 6);
  EXPECT_EQ(overridden({"time.step=0.01"}).settings.step, 0.01);
  EXPECT_EQ(overridden({"name= Other name "}).name, "Other name");
  EXPECT_EQ(overridden({"name=' quoted '"}).name, " quoted ");
  EXPECT_EQ(overridden({"expect.0.tolerance.relative=0.5"}).facts[0].tolerance, 1);
}

TEST(Overrides, ReachWhatIsNotWritten) {
  EXPECT_EQ(overridden({"integrator.theta=0.7"}).settings.moreau_jean.theta, 0.7);
  EXPECT_EQ(overridden({"integrator.moreau-jean.theta=0.8"}).settings.moreau_jean.theta, 0.8);
  EXPECT_EQ(overridden({"solver.max_iterations=7"}).settings.solver.max_iterations, 7);
  EXPECT_EQ(overridden({"bodies.box.velocity.0=1.5"}).model.nodes[1].velocity, Vector3(1.5, 0, 0));
  EXPECT_EQ(overridden({"bodies.box.angular_velocity=2"}).model.nodes[1].angular_velocity, Vector3(0, 0, 2));
  EXPECT_EQ(overridden({"bodies.box.angular_velocity.2=2"}).model.nodes[1].angular_velocity, Vector3(0, 0, 2));
  EXPECT_NEAR(overridden({"bodies.box.orientation.angle=pi"}).model.nodes[1].orientation.z, 1, 1e-15);
  EXPECT_EQ(overridden({"contacts.slide.restitution=0.9"}).model.contacts[0].law.restitution.at(0), 0.9);
  EXPECT_EQ(overridden({"surfaces.ground.point.1=-1"}).model.surfaces[0].point, Vector3(0, -1, 0));
  EXPECT_EQ(overridden({"output.every=5"}).output_every, 5);
  EXPECT_EQ(overridden({"bodies.block.fixed.0=y", "bodies.block.fixed.1=z"}).model.nodes[0].fixed,
            (std::array{false, true, true, false, false, false}));
}

TEST(Overrides, TheLastOneWins) {
  EXPECT_EQ(overridden({"time.end=2", "time.end=3"}).settings.end, 3);
  EXPECT_EQ(overridden({"integrator.theta=0.7", "integrator.moreau-jean.theta=0.8"}).settings.moreau_jean.theta, 0.8);
  EXPECT_EQ(overridden({"integrator.moreau-jean.theta=0.8", "integrator.theta=0.7"}).settings.moreau_jean.theta, 0.7);
  EXPECT_EQ(slide_case("time:", "integrator: {moreau-jean: {theta: 0.6}}\ntime:", {"integrator.theta=0.9"})
                .settings.moreau_jean.theta,
            0.9);
}

TEST(Overrides, AreAppliedBeforeExpressionsAreEvaluated) {
  EXPECT_EQ(overridden({"bodies.block.mass=2*mass", "parameters.mass=5"}).model.bodies[0].mass, 10);
}

TEST(Overrides, AnEndOfASpringMayBecomeAMap) {
  const model::Spring spring = overridden({"springs.link.start=world", "springs.link.start.at.1=0.5"}).model.springs[0];
  EXPECT_FALSE(spring.start.node.valid());
  EXPECT_EQ(spring.start.offset, Vector3(0, 0.5, 0));
}

TEST(Overrides, KeysOfAnotherKindAreDroppedWithANotice) {
  const io::Scene scene = io::read_scene_text(slide_scene_with("at: [0.1, 0, 0]", "at: [0, 0, 0]"), "slide.yaml",
                                              {"bodies.box.shape.type=sphere", "bodies.box.shape.radius=0.1"});
  EXPECT_TRUE(std::holds_alternative<model::SphereShape>(scene.run_case.model.bodies[1].parts.at(0).shape));
  ASSERT_EQ(scene.notices.size(), 1U);
  EXPECT_EQ(scene.notices[0],
            "'bodies.box.shape.size' is dropped: it belongs to type 'box', which has been replaced by 'sphere'");
}

// Both of Moreau's schemes have a projection; what was chosen for one is not meant for the other.
TEST(Overrides, OptionsOfASchemeDoNotPassToAnother) {
  const io::Scene scene =
      io::read_scene_text(slide_scene_with("time:", "integrator: {scheme: moreau-midpoint, projection: none}\ntime:"),
                          "slide.yaml", {"integrator.scheme=moreau-jean"});
  EXPECT_EQ(scene.run_case.settings.moreau_jean.projection, integrate::Projection::position);
  ASSERT_FALSE(scene.notices.empty());
  EXPECT_EQ(scene.notices[0],
            "'integrator.projection' is dropped: it belongs to scheme 'moreau-midpoint', which has been replaced by "
            "'moreau-jean'");
}

TEST(Overrides, AVariantIsASetOfOverrides) {
  const study::Case scene = slide_case("", "", {}, "fast");
  EXPECT_EQ(scene.id, "slide/fast");
  EXPECT_EQ(scene.model.nodes[0].velocity.x(), 4);
  EXPECT_EQ(slide_case("", "", {"parameters.speed=5"}, "fast").model.nodes[0].velocity.x(), 5);
}

struct WrongOverride {
  std::string text;
  std::string_view message;
};

TEST(OverridesBadInput, EveryMistakeNamesTheOverride) {
  const std::vector<WrongOverride> overrides = {
      {"time.step", "--set time.step: write PATH=VALUE, as in time.step=1e-3"},
      {"time.stpe=1", "--set time.stpe=1: unknown key 'stpe' in 'time'; did you mean 'step'?"},
      {"=3", "--set =3: the path is empty; write PATH=VALUE, as in time.step=1e-3"},
      {"time..step=1", "--set time..step=1: the path 'time..step' has an empty part"},
      {"time.step=", "--set time.step=: there is no value after '='"},
      {"time=3", "--set time=3: 'time' is a map with the keys end, step; override one of its keys, e.g. time.end"},
      {"gravity=9.81",
       "--set gravity=9.81: 'gravity' is a list of 3 numbers; override one of its entries, e.g. gravity.0"},
      {"gravity.x=1", "--set gravity.x=1: 'gravity' is a list: its parts are 0, 1, ..., not 'x'"},
      {"gravity.3=1", "--set gravity.3=1: 'gravity' has 3 entries, counted from 0, so there is no 3"},
      {"bodies.blok.mass=3", "--set bodies.blok.mass=3: there is no body 'blok'; did you mean 'block'?"},
      {"bodies=3", "--set bodies=3: 'bodies' is a map from names to elements; override one of its elements"},
      {"bodies.block=3",
       "--set bodies.block=3: 'bodies.block' is a map with the keys shape, parts, mass, density, inertia, "
       "center_of_mass, position, orientation, "
       "velocity, angular_velocity, appears, disappears, fixed, material, group; override one of its keys, e.g. "
       "bodies.block.mass"},
      {"bodies.block.masss=3",
       "--set bodies.block.masss=3: unknown key 'masss' in 'bodies.block'; did you mean 'mass'?"},
      {"bodies.block.mass.0=3", "--set bodies.block.mass.0=3: 'bodies.block.mass' is a number and has no part '0'"},
      {"parameters.frictoin=1",
       "--set parameters.frictoin=1: there is no parameter 'frictoin'; did you mean 'friction'?"},
      {"parameters.friction=-1",
       "slide.yaml:17:54: 'contacts.slide.friction' must be at least 0, but 'friction' is -1 (read with --set "
       "parameters.friction=-1)"},
      {"parameters.friction=a",
       "--set parameters.friction=a: in 'parameters.friction': 'a' is not known here; the names known here are "
       "friction, slope, speed, mass"},
      {"parameters.friction=\"1",
       "--set parameters.friction=\"1: in 'parameters.friction': the character '\"' has no meaning here"},
      {"bodies.block.mass=-2", "--set bodies.block.mass=-2: 'bodies.block.mass' must be greater than 0, but is -2"},
      {"bodies.block.inertia.0=1",
       "--set bodies.block.inertia.0=1: 'bodies.block.inertia' is not written in the scene and has no default, so a "
       "part of it cannot be set alone"},
      {"bodies.block.shape.radius=1",
       "--set bodies.block.shape.radius=1: 'radius' belongs to type 'sphere', but 'bodies.block.shape' has type "
       "'point'"},
      {"bodies.box.shape.type=sphere",
       "slide.yaml:9:16: the key 'radius' is missing in 'bodies.box.shape'; it must be a number, in m (read with --set "
       "bodies.box.shape.type=sphere)"},
      {"bodies.box.shape.type=sphree",
       "--set bodies.box.shape.type=sphree: 'bodies.box.shape.type' must be one of point, sphere, box, cylinder, "
       "capsule, cone, polyhedron, face, hollow-sphere, hollow-cylinder, but it is "
       "'sphree'; did you mean 'sphere'?"},
      {"variants.fast.set.parameters.speed=3",
       "--set variants.fast.set.parameters.speed=3: 'variants.fast.set' cannot be overridden; override what it sets "
       "instead"},
      {"variants.fast.set=3",
       "--set variants.fast.set=3: 'variants.fast.set' is a map from paths to values; override one of its elements"},
      {"variants.slow.description=a", "--set variants.slow.description=a: there is no variant 'slow'; there are fast"},
      {"planar=no", "--set planar=no: 'planar' must be true or false, but it is 'no'"},
      {"ricochet=2",
       "--set ricochet=2: this scene has format 2, but this program reads format 1 only; use a newer Ricochet"},
      {"expect.2.value=1", "--set expect.2.value=1: 'expect' has 2 entries, counted from 0, so there is no 2"},
      {"expect.x.value=1", "--set expect.x.value=1: 'expect' is a list: its parts are 0, 1, ..., not 'x'"},
      {"integrator.theta=0.2", "--set integrator.theta=0.2: 'integrator.theta' must be between 0.5 and 1, but is 0.2"},
      {"integrator.scheme=hht",
       "--set integrator.scheme=hht: 'integrator.scheme' must be one of moreau-jean, moreau-midpoint, "
       "nonsmooth-generalized-alpha, but "
       "it is 'hht'"},
      {"springs.link.start.at.0=0.5",
       "--set springs.link.start.at.0=0.5: 'springs.link.start.at' must be [0, 0, 0]: 'block' is a point mass and "
       "has no other point"},
      {"springs.link.start.boddy=box",
       "--set springs.link.start.boddy=box: unknown key 'boddy' in 'springs.link.start'; did you mean 'body'?"},
      {"springs.nolink.start=box", "--set springs.nolink.start=box: there is no spring 'nolink'; did you mean 'link'?"},
      {"contacts.slide.between.0.2=ball",
       "--set contacts.slide.between.0.2=ball: there is no body or surface 'ball', which 'contacts.slide.between.0.2' "
       "names; there are block, box, ground"},
      {"contacts.slide.between.2=ball",
       "--set contacts.slide.between.2=ball: 'contacts.slide.between' has 2 entries, counted from 0, so there is no 2"},
      {"beams.a.b=1",
       "--set beams.a.b=1: unknown key 'beams'; the keys here are ricochet, name, description, planar, gravity, "
       "parameters, time, integrator, solver, materials, material_pairs, bodies, surfaces, springs, joints, "
       "systems, velocity_conditions, assembly, loads, "
       "drivers, "
       "contacts, clearances, generate, probes, output, "
       "checkpoint, "
       "expect, "
       "variants"},
      {"time.step.x=1", "--set time.step.x=1: 'time.step' is a function of time and has no part 'x'"},
      {"probes.along=blok.position.x",
       "--set probes.along=blok.position.x: in 'probes.along': 'blok' is neither a body nor a node; did you mean "
       "'block'?"},
      {"bodies.block.fixed.1=x",
       "--set bodies.block.fixed.1=x: 'bodies.block.fixed' has 0 entries, counted from 0, so there is no 1"},
  };
  for (const WrongOverride& wrong : overrides) {
    EXPECT_EQ(scene_complaint(kSlideScene, {wrong.text}), wrong.message) << wrong.text;
  }
}

TEST(OverridesBadInput, MistakesInAVariantHaveAPlaceInTheFile) {
  EXPECT_EQ(scene_complaint(slide_scene_with("parameters.speed: 4", "parameters.sped: 4"), {}, "fast"),
            "slide.yaml:25:16: there is no parameter 'sped'; did you mean 'speed'?");
  EXPECT_EQ(scene_complaint(slide_scene_with("parameters.speed: 4", "bodies.box.mass: -4"), {}, "fast"),
            "slide.yaml:25:33: 'bodies.box.mass' must be greater than 0, but is -4");
  EXPECT_EQ(scene_complaint(slide_scene_with("{parameters.speed: 4}", "{parameters.speed: [4]}"), {}, "fast"),
            "slide.yaml:25:34: 'parameters.speed' must be set to a single value");
  EXPECT_EQ(scene_complaint(kSlideScene, {}, "fats"),
            "slide.yaml:1:1: the scene has no variant 'fats'; did you mean 'fast'?");
}

}  // namespace
}  // namespace ricochet::test
