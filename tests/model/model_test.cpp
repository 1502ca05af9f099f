#include "ricochet/model/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>

#include "model/test_models.hpp"

namespace ricochet::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Model good_model() {
  Model model;
  model.gravity = Vector3(0, -9.81, 0);
  const int ball = test::add_ball(model, 1, 0.5, Vector3(0, 1, 0));
  const int box = test::add_box(model, 2, Vector3(1, 2, 3), Vector3(4, 5, 6));
  const int point = test::add_point(model, 3, Vector3(1, 1, 1));
  const int ground = test::add_surface(model, Vector3::Zero(), Vector3::UnitY());
  test::add_contact(model, {test::body(ball), test::body(box), test::body(point)}, {test::surface(ground)},
                    {0.3, 0.5, 0.1});
  test::add_spring(model, {}, {{ball}, Vector3(0.5, 0, 0)}, 10, 1, 0.5);
  test::add_spring(model, {{ball}, Vector3::Zero()}, {{box}, Vector3::UnitX()}, 10, 1, 0.5, Vector3::UnitX());
  test::add_torsion_spring(model, ball, box, Vector3::UnitZ(), 10, 1);
  model.loads.push_back({"push", {{ball}, Vector3::Zero()}, test::constant_functions(Vector3::UnitX()), {}});
  return model;
}

TEST(Model, AcceptsAMachine) { EXPECT_NO_THROW(validate(good_model())); }

TEST(Model, AcceptsTheRollerWhoseInertiaExceedsMassTimesRadiusSquared) {
  Model model = good_model();
  model.bodies[0].inertia = 100 * Matrix3::Identity();
  EXPECT_NO_THROW(validate(model));
}

TEST(Model, AcceptsThinPlatesAndPlanarBodies) {
  Model model = good_model();
  model.bodies[0].inertia = Vector3(1, 1, 2).asDiagonal();  // the sum of two equals the third
  EXPECT_NO_THROW(validate(model));
  model.planar = true;
  model.bodies[0].inertia = Vector3(0, 0, 1).asDiagonal();  // only the moment about z matters
  EXPECT_NO_THROW(validate(model));
}

TEST(Model, NumbersParticipantsBodiesFirst) {
  Model model = good_model();
  test::add_surface(model, Vector3::Zero(), Vector3::UnitX());
  EXPECT_EQ(participant_index(model, test::body(1)), 1);
  EXPECT_EQ(participant_index(model, test::surface(1)), 4);
  EXPECT_EQ(participant_name(model, 2), "body2");
  EXPECT_EQ(participant_name(model, 4), "surface1");
}

TEST(Model, IdsAreInvalidUntilSet) {
  EXPECT_FALSE(NodeId{}.valid());
  EXPECT_TRUE(NodeId{0}.valid());
  EXPECT_EQ(BodyId{2}, BodyId{2});
  EXPECT_FALSE(BodyId{2} == BodyId{1});
}

// Every way to spoil a machine, and a word that the sentence must contain.
TEST(ModelBadInput, SaysWhatIsWrong) {
  struct Spoiled {
    std::function<void(Model&)> spoil;
    const char* word;
  };
  const std::vector<Spoiled> cases = {
      {[](Model& m) { m.gravity.x() = kNan; }, "gravity"},
      {[](Model& m) { m.nodes[0].position.x() = kNan; }, "'body0'"},
      {[](Model& m) { m.nodes[0].velocity.x() = kNan; }, "'body0'"},
      {[](Model& m) { m.nodes[0].angular_velocity.x() = kNan; }, "'body0'"},
      {[](Model& m) { m.nodes[0].orientation.w = 1.1; }, "unit quaternion"},
      {[](Model& m) { m.nodes[0].orientation.w = kNan; }, "unit quaternion"},
      {[](Model& m) { m.bodies[0].node = {}; }, "no node"},
      {[](Model& m) { m.bodies[0].node = {3}; }, "no node"},
      {[](Model& m) { m.bodies[0].mass = 0; }, "mass of body 'body0'"},
      {[](Model& m) { m.bodies[0].mass = -1; }, "mass of body 'body0'"},
      {[](Model& m) { m.bodies[0].mass = kNan; }, "mass of body 'body0'"},
      {[](Model& m) { m.bodies[0].mass = std::numeric_limits<double>::infinity(); }, "mass of body 'body0'"},
      {[](Model& m) { m.bodies[0].inertia(1, 1) = kNan; }, "inertia of body 'body0'"},
      {[](Model& m) { m.bodies[0].inertia(0, 1) = 0.01; }, "not symmetric"},
      {[](Model& m) { m.bodies[0].inertia.setZero(); }, "positive"},
      {[](Model& m) { m.bodies[0].inertia = Vector3(1, 1, 2.001).asDiagonal(); }, "triangle inequality"},
      {[](Model& m) { m.planar = true, m.bodies[1].inertia(2, 2) = 0; }, "about z of body 'body1'"},
      {[](Model& m) { m.bodies[0].parts = {{SphereShape{0}}}; }, "radius"},
      {[](Model& m) { m.bodies[0].parts = {{SphereShape{kNan}}}; }, "radius"},
      {[](Model& m) { m.bodies[1].parts = {{BoxShape{Vector3(1, -1, 1)}}}; }, "half extents"},
      {[](Model& m) { m.bodies[1].parts[0].position.x() = kNan; }, "parts of body 'body1'"},
      {[](Model& m) { m.bodies[0].center = Vector3(0, 1, 0); }, "centre of mass"},
      {[](Model& m) { m.drivers = {test::driver(0, 0, 1)}; }, "one node or one surface"},
      {[](Model& m) { m.drivers = {test::driver(-1, 7, 1)}; }, "one node or one surface"},
      {[](Model& m) {
         m.drivers = {test::driver(0, -1, 1), test::driver(0, -1, 2)};
       },
       "another driver"},
      {[](Model& m) { m.drivers = {test::driver(0, -1, 1)}, m.nodes[0].fixed[2] = true; }, "is fixed"},
      {[](Model& m) {
         m.drivers = {test::driver(-1, 0, 1), test::driver(-1, 0, 2)};
       },
       "same surface"},
      {[](Model& m) { m.drivers = {test::driver(0, -1, 1)}, m.drivers[0].translation = {}; }, "no motion"},
      {[](Model& m) { m.surfaces[0].normal = Vector3(0, 1, 1); }, "unit vector"},
      {[](Model& m) { m.surfaces[0].normal.x() = kNan; }, "unit vector"},
      {[](Model& m) { m.surfaces[0].point.x() = kNan; }, "'surface0'"},
      {[](Model& m) { m.planar = true, m.surfaces[0].normal = Vector3::UnitZ(); }, "plane"},
      {[](Model& m) { m.springs[0].end.node = {3}; }, "'spring0'"},
      {[](Model& m) { m.springs[1].start.node = {-2}; }, "'spring1'"},
      {[](Model& m) { m.springs[1].axis = Vector3(1, 1, 0); }, "axis of spring 'spring1'"},
      {[](Model& m) { m.springs[0].stiffness = kNan; }, "'spring0'"},
      {[](Model& m) { m.springs[0].stiffness = -1; }, "'spring0'"},
      {[](Model& m) { m.springs[0].damping = -1; }, "'spring0'"},
      {[](Model& m) { m.springs[0].free_length = kNan; }, "'spring0'"},
      {[](Model& m) { m.springs[0].end.offset.x() = kNan; }, "'spring0'"},
      {[](Model& m) { m.torsion_springs[0].end.node = {3}; }, "'torsion0'"},
      {[](Model& m) { m.torsion_springs[0].end.node = {2}; }, "'body2', which is a point and does not rotate"},
      {[](Model& m) { m.torsion_springs[0].start.node = {1}; }, "same body"},
      {[](Model& m) { m.torsion_springs[0].start.node = m.torsion_springs[0].end.node = {}; }, "in the world"},
      {[](Model& m) { m.torsion_springs[0].axis = Vector3(1, 1, 0); }, "axis of torsion spring 'torsion0'"},
      {[](Model& m) { m.planar = true, m.torsion_springs[0].axis = Vector3::UnitX(); }, "z or -z"},
      {[](Model& m) { m.torsion_springs[0].stiffness = -1; }, "stiffness of torsion spring 'torsion0'"},
      {[](Model& m) { m.torsion_springs[0].damping = kNan; }, "damping of torsion spring 'torsion0'"},
      {[](Model& m) { m.torsion_springs[0].free_angle = kNan; }, "free angle of torsion spring 'torsion0'"},
      {[](Model& m) { m.loads[0].point.node = {}; }, "act on a body"},
      {[](Model& m) { m.loads[0].point.node = {3}; }, "'push'"},
      {[](Model& m) { m.loads[0].point.offset.x() = kNan; }, "'push'"},
      {[](Model& m) { m.contacts[0].first.push_back({}); }, "'rule0'"},
      {[](Model& m) { m.contacts[0].first.push_back(test::body(3)); }, "'rule0'"},
      {[](Model& m) { m.contacts[0].second.push_back(test::surface(1)); }, "'rule0'"},
      {[](Model& m) { m.surfaces[0].material = {0}; }, "material of surface 'surface0'"},
      {[](Model& m) { m.bodies[0].parts[0].material = {-2}; }, "material of body 'body0'"},
      {[](Model& m) {
         m.contacts[0].except = {{test::body(0), test::body(9)}};
       },
       "'rule0'"},
      {[](Model& m) {
         m.contacts[0].material_laws = {{{0}, {0}, {}}};
       },
       "law for a material that does not exist"},
      {[](Model& m) {
         m.materials = {{"steel"}};
         m.contacts[0].material_laws = {{{0}, {0}, {-0.1}}};
       },
       "friction"},
      {[](Model& m) { m.contacts[0].law.friction = -0.1; }, "friction"},
      {[](Model& m) { m.contacts[0].law.friction = kNan; }, "friction"},
      {[](Model& m) { m.contacts[0].law.friction = std::numeric_limits<double>::infinity(); }, "friction"},
      {[](Model& m) { m.contacts[0].law.restitution = 1.01; }, "restitution"},
      {[](Model& m) { m.contacts[0].law.restitution = -0.01; }, "restitution"},
      {[](Model& m) { m.contacts[0].law.tangential_restitution = -1.01; }, "tangential"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Model model = good_model();
    cases[i].spoil(model);
    try {
      validate(model);
      ADD_FAILURE() << "case " << i << " (" << cases[i].word << ") was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(cases[i].word)) << "case " << i;
    }
  }
}

}  // namespace
}  // namespace ricochet::model
