// Reading probe sources, and the sentences for those that are wrong.
#include <gtest/gtest.h>

#include <set>

#include "ricochet/simulation/ledger.hpp"
#include "ricochet/simulation/probe.hpp"
#include "simulation/probe_model.hpp"

namespace ricochet::simulation {
namespace {

ProbeSource parsed(const std::string& text) {
  std::string why;
  const std::optional<ProbeSource> source = parse_probe_source(probe_model(), text, &why);
  EXPECT_TRUE(source) << text << ": " << why;
  return source.value_or(ProbeSource{});
}

std::string why_not(const std::string& text) {
  std::string why;
  EXPECT_FALSE(parse_probe_source(probe_model(), text, &why)) << text;
  EXPECT_FALSE(parse_probe_source(probe_model(), text)) << text;
  return why;
}

TEST(ProbeSource, MotionOfBodiesAndNodes) {
  const ProbeSource position = parsed("block.position.x");
  EXPECT_EQ(position.quantity, Quantity::position);
  EXPECT_EQ(position.node, model::NodeId{0});
  EXPECT_EQ(position.component, 0);
  EXPECT_EQ(parsed("ball-1.velocity.y").quantity, Quantity::velocity);
  EXPECT_EQ(parsed("ball-1.velocity.y").node, model::NodeId{1});
  EXPECT_EQ(parsed("ball-1.velocity.y").component, 1);
  EXPECT_EQ(parsed("mass.acceleration.z").quantity, Quantity::acceleration);
  EXPECT_EQ(parsed("mass.acceleration.z").component, 2);
  EXPECT_EQ(parsed("anchor.displacement.norm").quantity, Quantity::displacement);
  EXPECT_EQ(parsed("anchor.displacement.norm").node, model::NodeId{4});
  EXPECT_EQ(parsed("anchor.displacement.norm").component, 3);
  EXPECT_EQ(parsed("block.angular_velocity.x").quantity, Quantity::angular_velocity);
  EXPECT_EQ(parsed("block.angular_velocity_world.x").quantity, Quantity::angular_velocity_world);
  EXPECT_EQ(parsed("block.angular_acceleration.x").quantity, Quantity::angular_acceleration);
  EXPECT_EQ(parsed("block.rotation_vector.x").quantity, Quantity::rotation_vector);
}

TEST(ProbeSource, MaterialPoints) {
  const ProbeSource point = parsed("block@[0.1,-2e-3, 0 ].velocity.x");
  EXPECT_EQ(point.quantity, Quantity::velocity);
  EXPECT_EQ(point.node, model::NodeId{0});
  EXPECT_EQ(point.offset, Vector3(0.1, -2e-3, 0));
  EXPECT_EQ(parsed("ball-2@[0,.5,1].displacement.norm").offset, Vector3(0, 0.5, 1));
  EXPECT_EQ(parsed("mass@[0,0,0].position.x").node, model::NodeId{3});
}

TEST(ProbeSource, Contacts) {
  const ProbeSource gap = parsed("contact.ground.gap");
  EXPECT_EQ(gap.quantity, Quantity::contact_gap);
  EXPECT_EQ(gap.rule, model::RuleId{0});
  EXPECT_EQ(gap.participant_a, -1);
  EXPECT_EQ(gap.participant_b, -1);
  EXPECT_EQ(parsed("contact.side-wall.count").quantity, Quantity::contact_count);
  EXPECT_EQ(parsed("contact.side-wall.count").rule, model::RuleId{2});
  EXPECT_EQ(parsed("contact.balls.status").quantity, Quantity::contact_status);
  EXPECT_EQ(parsed("contact.balls.relative_velocity.t2").quantity, Quantity::contact_velocity);
  EXPECT_EQ(parsed("contact.balls.relative_velocity.t2").component, 2);
  EXPECT_EQ(parsed("contact.balls.impulse.tangent").quantity, Quantity::contact_impulse);
  EXPECT_EQ(parsed("contact.balls.impulse.tangent").component, 3);
  EXPECT_EQ(parsed("contact.balls.work.tangential").quantity, Quantity::contact_work);
  EXPECT_EQ(parsed("contact.balls.work.tangential").component, 1);
}

TEST(ProbeSource, PairsInEitherOrder) {
  for (const std::string text : {"contact.ground.ball-1.floor.gap", "contact.ground.floor.ball-1.gap"}) {
    EXPECT_EQ(parsed(text).participant_a, 1);
    EXPECT_EQ(parsed(text).participant_b, 4);
  }
  for (const std::string text :
       {"contact.balls.ball-1.ball-2.impulse.normal", "contact.balls.ball-2.ball-1.impulse.normal"}) {
    EXPECT_EQ(parsed(text).quantity, Quantity::contact_impulse);
    EXPECT_EQ(parsed(text).participant_a, 1);
    EXPECT_EQ(parsed(text).participant_b, 2);
  }
  EXPECT_EQ(parsed("contact.side-wall.wall.mass.status").participant_a, 3);
  EXPECT_EQ(parsed("contact.side-wall.wall.mass.status").participant_b, 5);
}

TEST(ProbeSource, EnergySolverTime) {
  for (std::size_t i = 0; i < ledger_entries.size(); ++i) {
    const ProbeSource source = parsed("energy." + std::string(ledger_entries[i]));
    EXPECT_EQ(source.quantity, Quantity::energy);
    EXPECT_EQ(source.component, static_cast<int>(i));
  }
  EXPECT_EQ(parsed("solver.iterations").quantity, Quantity::solver);
  EXPECT_EQ(parsed("solver.iterations").component, 0);
  EXPECT_EQ(parsed("solver.residual").component, 1);
  EXPECT_EQ(parsed("time").quantity, Quantity::time);
}

TEST(ProbeSource, BodiesWithTheNamesOfWords) {
  model::Model model = probe_model();
  model.bodies[0].name = "contact";
  model.bodies[1].name = "energy";
  model.bodies[2].name = "time";
  model.contacts[0].name = "position";
  EXPECT_EQ(parse_probe_source(model, "contact.position.x")->quantity, Quantity::position);
  EXPECT_EQ(parse_probe_source(model, "contact.position.gap")->quantity, Quantity::contact_gap);
  EXPECT_EQ(parse_probe_source(model, "energy.velocity.x")->node, model::NodeId{1});
  EXPECT_EQ(parse_probe_source(model, "energy.total")->quantity, Quantity::energy);
  EXPECT_EQ(parse_probe_source(model, "time.velocity.x")->node, model::NodeId{2});
  EXPECT_EQ(parse_probe_source(model, "time")->quantity, Quantity::time);
  std::string why;
  EXPECT_FALSE(parse_probe_source(model, "energy.totl", &why));
  EXPECT_EQ(why, "'energy' has no 'totl'; did you mean 'total'?");
}

TEST(ProbeSource, SuggestionsAreSources) {
  const model::Model model = probe_model();
  const std::vector<std::string> suggestions = probe_suggestions(model);
  for (const std::string& suggestion : suggestions) {
    EXPECT_TRUE(parse_probe_source(model, suggestion)) << suggestion;
  }
  const std::set<std::string> all(suggestions.begin(), suggestions.end());
  EXPECT_TRUE(all.contains("ball-1.rotation_vector.norm"));
  EXPECT_TRUE(all.contains("anchor.position.x"));
  EXPECT_TRUE(all.contains("contact.side-wall.impulse.t1"));
  EXPECT_EQ(all.size(), 1u + 5 * 8 * 4 + 3 * (3 + 4 + 4 * 6 + 3) + ledger_entries.size() + solver_entries.size());
  EXPECT_EQ(suggestions.size(), all.size());
}

TEST(ProbeSourceBadInput, DriversAreNamedWhole) {
  model::Model model = probe_model();
  model.drivers.push_back({"belt", {}, {0}, model::DrivenTranslation{}, {}});
  const auto complaint = [&](const char* text) {
    std::string why;
    EXPECT_FALSE(parse_probe_source(model, text, &why)) << text;
    return why;
  };
  EXPECT_EQ(complaint("driver.belt"), "a driver source is written like 'driver.NAME.power'");
  EXPECT_EQ(complaint("driver.bellt.power"), "there is no driver 'bellt'; did you mean 'belt'?");
  EXPECT_EQ(complaint("driver.belt.powr"), "a driver has no 'powr'; did you mean 'power'?");
  EXPECT_EQ(complaint("driver.belt.power.x"), "nothing can follow '.power' in 'driver.belt.power.x'");
  EXPECT_EQ(complaint("driver.belt.force.w"), "'force' has no 'w' (choose from: x, y, z, norm)");
}

model::Model probe_model_with_joints() {
  model::Model model = probe_model();
  for (const model::JointType type :
       {model::JointType::revolute, model::JointType::cylindrical, model::JointType::ball}) {
    model::Joint joint;
    joint.name = name_of(type);
    joint.type = type;
    joint.second.attachment.node = {0};
    model.joints.push_back(joint);
  }
  model.joint_springs.push_back({{{1}, 1}, 1, 0, {}});
  return model;
}

TEST(ProbeSource, Joints) {
  const model::Model model = probe_model_with_joints();
  const auto read = [&](const char* text) { return parse_probe_source(model, text).value(); };
  EXPECT_EQ(read("joint.cylindrical.coordinate").quantity, Quantity::joint_coordinate);
  EXPECT_EQ(read("joint.cylindrical.coordinate").component, 0);
  EXPECT_EQ(read("joint.cylindrical.speed.1").component, 1);
  EXPECT_EQ(read("joint.cylindrical.speed.1").joint.index, 1);
  EXPECT_EQ(read("joint.cylindrical.spring.1").quantity, Quantity::joint_spring);
  EXPECT_EQ(read("joint.ball.error").quantity, Quantity::joint_error);
  EXPECT_EQ(read("joint.ball.force.y").component, 1);
  EXPECT_EQ(read("joint.ball.torque.norm").quantity, Quantity::joint_torque);
  int of_joints = 0;
  for (const std::string& suggestion : probe_suggestions(model)) {
    EXPECT_TRUE(parse_probe_source(model, suggestion)) << suggestion;
    of_joints += suggestion.starts_with("joint.") ? 1 : 0;
  }
  EXPECT_EQ(of_joints, 3 * (1 + 4 + 4) + 2 * (1 + 2) + 1);
}

TEST(ProbeSourceBadInput, Joints) {
  const model::Model model = probe_model_with_joints();
  const auto complaint = [&](const char* text) {
    std::string why;
    EXPECT_FALSE(parse_probe_source(model, text, &why)) << text;
    return why;
  };
  EXPECT_EQ(complaint("joint.ball"), "a joint source is written like 'joint.NAME.coordinate'");
  EXPECT_EQ(complaint("joint.bal.error"), "there is no joint 'bal'; did you mean 'ball'?");
  EXPECT_EQ(complaint("joint.ball.forse.x"), "a joint has no 'forse'; did you mean 'force'?");
  EXPECT_EQ(complaint("joint.ball.force"), "'force' of a joint has components: add .x, .y, .z, .norm");
  EXPECT_EQ(complaint("joint.ball.force.x.y"), "nothing can follow '.x' in 'joint.ball.force.x.y'");
  EXPECT_EQ(complaint("joint.ball.error.x"), "nothing can follow '.error' in 'joint.ball.error.x'");
  EXPECT_EQ(complaint("joint.ball.speed"), "'ball' is a ball joint, which has no coordinates");
  EXPECT_EQ(complaint("joint.revolute.coordinate.1"), "'coordinate' has no '1' (choose from: 0)");
  EXPECT_EQ(complaint("joint.cylindrical.spring.0"), "joint 'cylindrical' has no spring along its coordinate 0");
  EXPECT_EQ(complaint("joint.revolute.spring"), "joint 'revolute' has no spring along its coordinate 0");
  EXPECT_EQ(complaint("joint.ball.spring"), "'ball' is a ball joint, which has no coordinates");
}

TEST(ProbeSourceBadInput, Motion) {
  EXPECT_EQ(why_not("blok.position.x"), "'blok' is neither a body nor a node; did you mean 'block'?");
  EXPECT_EQ(why_not("ancor.position.x"), "'ancor' is neither a body nor a node; did you mean 'anchor'?");
  EXPECT_EQ(why_not("enrgy.kinetic"), "'enrgy' is neither a body nor a node; did you mean 'energy'?");
  EXPECT_EQ(why_not("block.positon.x"), "a body has no 'positon'; did you mean 'position'?");
  EXPECT_EQ(why_not("anchor.speed.x"),
            "a node has no 'speed' (choose from: position, velocity, acceleration, displacement, angular_velocity, "
            "angular_velocity_world, angular_acceleration, rotation_vector)");
  EXPECT_EQ(why_not("block.position.w"), "'position' has no 'w' (choose from: x, y, z, norm)");
  EXPECT_EQ(why_not("block.position.magnitude"), "'position' has no 'magnitude' (choose from: x, y, z, norm)");
  EXPECT_EQ(why_not("block"), "'block' is a body, not a number: write for example 'block.position.x'");
  EXPECT_EQ(why_not("anchor"), "'anchor' is a node, not a number: write for example 'anchor.position.x'");
  EXPECT_EQ(why_not("block.position"), "'block.position' is a vector: add .x, .y, .z or .norm");
  EXPECT_EQ(why_not("block.position.x.y"), "nothing can follow '.x' in 'block.position.x.y'");
  EXPECT_NE(why_not(""), "");
  EXPECT_NE(why_not("."), "");
  EXPECT_NE(why_not("block."), "");
  EXPECT_NE(why_not("block.position."), "");
  EXPECT_NE(why_not(".position.x"), "");
  EXPECT_EQ(why_not("floor.position.x").substr(0, 38), "'floor' is neither a body nor a node (");  // a surface is not
}

TEST(ProbeSourceBadInput, MaterialPoints) {
  const std::string form = "a material point is written like 'block@[0.1,0,0].position.x'";
  EXPECT_EQ(why_not("block@"), form);
  EXPECT_EQ(why_not("block@[0,0,0]"), form);
  EXPECT_EQ(why_not("block@[0,0,0"), form);
  EXPECT_EQ(why_not("block@(0,0,0).position.x"), form);
  EXPECT_EQ(why_not("block@[0,0,0]position.x"), form);
  EXPECT_EQ(why_not("block@[0,0].position.x"),
            "'@[0,0]' is not a material point: it needs three plain numbers, like '@[0.1,0,0]'");
  for (const std::string numbers :
       {"", "0", "0,0,0,0", "a,0,0", "0,,0", "0,0,", "inf,0,0", "nan,0,0", "1e999,0,0", "1 2,0,0"}) {
    EXPECT_NE(why_not("block@[" + numbers + "].position.x").find("three plain numbers"), std::string::npos) << numbers;
  }
  EXPECT_EQ(why_not("mass@[0,1,0].position.x"), "'mass' is a point and has no other material point than [0,0,0]");
  EXPECT_EQ(why_not("blok@[0,0,0].position.x"), "'blok' is neither a body nor a node; did you mean 'block'?");
  EXPECT_EQ(why_not("block@[0,0,0].gap"), why_not("block.gap"));
}

TEST(ProbeSourceBadInput, Contacts) {
  EXPECT_EQ(why_not("contact"), "a contact source is written like 'contact.RULE.gap'");
  EXPECT_EQ(why_not("contact.grund.gap"), "there is no contact rule 'grund'; did you mean 'ground'?");
  EXPECT_EQ(why_not("contact.roof.gap"), "there is no contact rule 'roof' (choose from: ground, balls, side-wall)");
  EXPECT_EQ(
      why_not("contact.ground"),
      "'contact.ground' is not complete: write 'contact.ground.QUANTITY', or 'contact.ground.A.B.QUANTITY' for one "
      "pair");
  EXPECT_EQ(why_not("contact.ground.gapp"), "a contact has no 'gapp'; did you mean 'gap'?");
  EXPECT_EQ(why_not("contact.ground.gap.x"), "'gap' of a contact is one number: nothing can follow it");
  EXPECT_EQ(why_not("contact.ground.impulse"),
            "'impulse' of a contact has components: add .normal, .t1, .t2, .tangent");
  EXPECT_EQ(why_not("contact.ground.impulse.t3"), "'impulse' has no 't3'; did you mean 't1'?");
  EXPECT_EQ(why_not("contact.ground.work.t1"), "'work' has no 't1' (choose from: normal, tangential, resistance)");
  EXPECT_EQ(why_not("contact.ground.block.gap"),
            "'contact.ground.block.gap' names one participant; name both, or none for all pairs of 'ground'");
  EXPECT_EQ(why_not("contact.ground.blok.floor.gap"),
            "'blok' takes no part in the contact rule 'ground'; did you mean 'block'?");
  EXPECT_EQ(why_not("contact.ground.block.wall.gap"),
            "'wall' takes no part in the contact rule 'ground' (choose from: block, ball-1, ball-2, floor)");
  EXPECT_EQ(why_not("contact.balls.floor.ball-1.gap"),
            "'floor' takes no part in the contact rule 'balls' (choose from: ball-1, ball-2)");
  EXPECT_EQ(why_not("contact.ground.block.ball-1.gap"),
            "'block' and 'ball-1' never touch each other under the contact rule 'ground'");
  EXPECT_EQ(why_not("contact.balls.ball-1.ball-1.gap"),
            "'ball-1' and 'ball-1' never touch each other under the contact rule 'balls'");
  EXPECT_NE(why_not("contact.ground.block.floor.impulse.normal.x"), "");
  EXPECT_NE(why_not("contact..gap"), "");
}

TEST(ProbeSourceBadInput, EnergySolverTime) {
  EXPECT_EQ(why_not("energy.kinetik"), "'energy' has no 'kinetik'; did you mean 'kinetic'?");
  EXPECT_EQ(why_not("energy"), "'energy' is written like 'energy.kinetic'");
  EXPECT_EQ(why_not("energy.total.x"), "'energy' is written like 'energy.kinetic'");
  EXPECT_EQ(why_not("solver.time"), "'solver' has no 'time' (choose from: iterations, residual, passes, solutions)");
  EXPECT_EQ(why_not("time.x"), "'time' has no parts: write 'time'");
}

}  // namespace
}  // namespace ricochet::simulation
