// Everything that can be wrong with the input: the exit code, the message, and that nothing is left behind.
#include <gtest/gtest.h>

#include "app/program.hpp"

namespace ricochet::test {
namespace {

// A small scene that is right; tests make one thing wrong.
const std::string good_scene =
    "ricochet: 1\n"
    "planar: true\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {height: 1}\n"
    "time: {end: 0.01, step: 1e-3}\n"
    "bodies:\n"
    "  ball: {mass: 1, position: [0, height, 0]}\n"
    "surfaces:\n"
    "  ground: {type: plane, normal: [0, 1, 0]}\n"
    "contacts:\n"
    "  bounce: {between: [ball, ground], restitution: 0.5}\n"
    "probes: {y: ball.position.y}\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class ProgramBadInput : public ::testing::Test {
 protected:
  // Runs a scene that must be refused with exit code 2 and a message that contains all `parts`.
  void expect_refused(const std::string& scene, const std::vector<std::string>& parts,
                      const std::vector<std::string>& more_arguments = {}) {
    write_file(directory_ / "scene.yaml", scene);
    expect_refused_arguments({"run", "scene.yaml", "--out", "result"}, more_arguments, parts);
  }

  void expect_refused_arguments(std::vector<std::string> arguments, const std::vector<std::string>& more,
                                const std::vector<std::string>& parts, int exit_code = 2) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_program(arguments, directory_.path());
    EXPECT_EQ(result.exit_code, exit_code) << result.errors;
    for (const std::string& part : parts) {
      EXPECT_NE(result.errors.find(part), std::string::npos) << "expected: " << part << "\nsaid: " << result.errors;
    }
    for (const auto& entry : fs::directory_iterator(directory_.path())) {
      const std::string name = entry.path().filename().string();
      EXPECT_EQ(name.find("result"), std::string::npos) << "left behind: " << name;
    }
  }

  TemporaryDirectory directory_;
};

TEST_F(ProgramBadInput, TheGoodSceneIsGood) {
  write_file(directory_ / "scene.yaml", good_scene);
  const ProgramResult result = run_program({"run", "scene.yaml", "--out", "result"}, directory_.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(fs::exists(directory_ / "result/summary.json"));
}

TEST_F(ProgramBadInput, UnknownKey) {
  expect_refused(replaced(good_scene, "restitution: 0.5", "restitutoin: 0.5"),
                 {"scene.yaml:11:37:", "'restitutoin'", "did you mean 'restitution'?"});
}

TEST_F(ProgramBadInput, UnknownSection) {
  expect_refused(replaced(good_scene, "probes:", "probse:"),
                 {"scene.yaml:12:1:", "'probse'", "did you mean 'probes'?"});
}

TEST_F(ProgramBadInput, DuplicateKey) {
  expect_refused(replaced(good_scene, "mass: 1,", "mass: 1, mass: 2,"), {"scene.yaml:7:19:", "'mass'", "line 7"});
}

TEST_F(ProgramBadInput, Alias) {
  expect_refused(replaced(good_scene, "parameters: {height: 1}", "parameters: {height: &h 1, other: *h}"),
                 {"scene.yaml:4:", "anchor"});
  expect_refused(replaced(good_scene, "parameters: {height: 1}", "parameters: {height: 1, <<: {a: 1}}"),
                 {"scene.yaml:4:", "<<"});
}

TEST_F(ProgramBadInput, WrongType) {
  expect_refused(replaced(good_scene, "mass: 1", "mass: [1, 2]"), {"scene.yaml:7:16:", "mass", "number"});
  expect_refused(replaced(good_scene, "planar: true", "planar: yes"), {"scene.yaml:2:9:", "planar", "true or false"});
  expect_refused(replaced(good_scene, "bodies:\n  ball: {mass: 1, position: [0, height, 0]}\n", "bodies: 3\n"),
                 {"scene.yaml:6:9:", "bodies"});
}

TEST_F(ProgramBadInput, MissingSection) {
  expect_refused(replaced(good_scene, "time: {end: 0.01, step: 1e-3}\n", ""), {"scene.yaml:", "'time'"});
  expect_refused(replaced(good_scene, "ricochet: 1\n", ""), {"scene.yaml:", "'ricochet'"});
  expect_refused(replaced(good_scene, "mass: 1, ", ""), {"scene.yaml:7:", "'mass'"});
}

TEST_F(ProgramBadInput, NewerFormat) {
  expect_refused(replaced(good_scene, "ricochet: 1", "ricochet: 2"), {"scene.yaml:1:11:", "2"});
}

TEST_F(ProgramBadInput, ImpossibleMass) {
  expect_refused(replaced(good_scene, "mass: 1", "mass: 0"), {"scene.yaml:7:16:", "mass", "greater than 0"});
  expect_refused(replaced(good_scene, "mass: 1", "mass: -height"), {"scene.yaml:7:16:", "mass", "-1"});
}

TEST_F(ProgramBadInput, NegativeStep) {
  expect_refused(replaced(good_scene, "step: 1e-3", "step: -1e-3"), {"scene.yaml:5:25:", "step", "greater than 0"});
  expect_refused(good_scene, {"--set time.step=-1", "greater than 0"}, {"--step", "-1"});
}

TEST_F(ProgramBadInput, NonFiniteExpression) {
  expect_refused(replaced(good_scene, "height, 0]", "1/(height-1), 0]"), {"scene.yaml:7:", "finite"});
  expect_refused(replaced(good_scene, "height, 0]", "log(-height), 0]"), {"scene.yaml:7:", "finite"});
}

TEST_F(ProgramBadInput, UnknownParameter) {
  expect_refused(replaced(good_scene, "height, 0]", "hieght, 0]"),
                 {"scene.yaml:7:", "'hieght'", "did you mean 'height'?"});
}

TEST_F(ProgramBadInput, CyclicParameters) {
  expect_refused(replaced(good_scene, "{height: 1}", "{height: a + 1, a: 2*b, b: height}"),
                 {"scene.yaml:4:", "height", "a", "b"});
}

TEST_F(ProgramBadInput, UnreadableFile) {
  expect_refused_arguments({"run", "nowhere.yaml", "--out", "result"}, {}, {"nowhere.yaml"});
  expect_refused_arguments({"run", ".", "--out", "result"}, {}, {"directory"});
}

TEST_F(ProgramBadInput, UnwritableOutput) {
  write_file(directory_ / "scene.yaml", good_scene);
  write_file(directory_ / "file", "not a directory");
  expect_refused_arguments({"run", "scene.yaml", "--out", "file/result"}, {}, {"file"});
  expect_refused_arguments({"run", "scene.yaml", "--out", "/proc/result"}, {}, {"/proc"});
}

TEST_F(ProgramBadInput, AForeignDirectoryIsNotReplaced) {
  write_file(directory_ / "scene.yaml", good_scene);
  fs::create_directory(directory_ / "mine");
  write_file(directory_ / "mine/thesis.txt", "years of work");
  const ProgramResult result = run_program({"run", "scene.yaml", "--out", "mine"}, directory_.path());
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_EQ(read_file(directory_ / "mine/thesis.txt"), "years of work");
}

TEST_F(ProgramBadInput, EmptyFile) {
  expect_refused("", {"scene.yaml", "empty"});
  expect_refused("# only a comment\n", {"scene.yaml", "empty"});
}

TEST_F(ProgramBadInput, BinaryFile) {
  expect_refused(std::string("ricochet: 1\n\0\x01\x02", 15), {"scene.yaml", "text"});
  expect_refused("ricochet: 1\nname: \xff\xfe\n", {"scene.yaml", "UTF-8"});
}

TEST_F(ProgramBadInput, FileOver16Megabytes) {
  expect_refused(good_scene + "# " + std::string(16'000'001, 'x') + "\n", {"scene.yaml", "16"});
}

TEST_F(ProgramBadInput, DeepNesting) {
  expect_refused("ricochet: 1\nname: " + std::string(100'000, '[') + "\n", {"scene.yaml", "64"});
  expect_refused("ricochet: 1\nname: " + std::string(70, '[') + std::string(70, ']') + "\n", {"scene.yaml", "64"});
}

TEST_F(ProgramBadInput, SecondDocument) {
  expect_refused(good_scene + "---\nricochet: 1\n", {"scene.yaml:13", "document"});
}

TEST_F(ProgramBadInput, SyntaxError) { expect_refused("ricochet: 1\nbodies: {ball: [}\n", {"scene.yaml:2:"}); }

TEST_F(ProgramBadInput, OverridesThatDoNotFit) {
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    expect_refused(good_scene, parts, {"--set", text});
  };
  refused("parameters.hieght=2", {"--set parameters.hieght=2", "did you mean 'height'?"});
  refused("bodies.bal.mass=2", {"--set bodies.bal.mass=2", "did you mean 'ball'?"});
  refused("bodies.ball.mas=2", {"--set bodies.ball.mas=2", "did you mean 'mass'?"});
  refused("bodies.ball.mass=0", {"--set bodies.ball.mass=0", "greater than 0"});
  refused("bodies.ball.position.3=1", {"--set bodies.ball.position.3=1", "3"});
  refused("bodies.ball.mass", {"--set bodies.ball.mass", "="});
  refused("contacts.bounce.restitution=2", {"--set contacts.bounce.restitution=2", "1"});
  refused("bodies=3", {"--set bodies=3"});
}

TEST_F(ProgramBadInput, UnknownSchemeAndSolver) {
  expect_refused(good_scene, {"newmark", "moreau-jean"}, {"--integrator", "newmark"});
  expect_refused(good_scene, {"simplex", "gauss-seidel"}, {"--solver", "simplex"});
}

TEST_F(ProgramBadInput, WrongUsage) {
  expect_refused_arguments({}, {}, {});
  expect_refused_arguments({"runn", "a.yaml"}, {}, {"no command 'runn'", "did you mean 'run'?"});
  expect_refused_arguments({"run"}, {}, {"scene"});
  expect_refused_arguments({"run", "a.yaml", "--fast"}, {}, {"--fast"});
  expect_refused_arguments({"check"}, {}, {"scene"});
  expect_refused_arguments({"scenes", "show", "bouncing-bal"}, {}, {"bouncing-ball"});
  expect_refused_arguments({"validate", "no-such-*"}, {}, {"no-such-*"});
}

TEST_F(ProgramBadInput, WrongProbesAndContacts) {
  expect_refused(replaced(good_scene, "ball.position.y", "bal.position.y"), {"scene.yaml:12:", "did you mean 'ball'?"});
  expect_refused(replaced(good_scene, "ball.position.y", "ball.positon.y"),
                 {"scene.yaml:12:", "did you mean 'position'?"});
  expect_refused(replaced(good_scene, "[ball, ground]", "[ball, gruond]"),
                 {"scene.yaml:11:", "did you mean 'ground'?"});
  expect_refused(replaced(good_scene, "[ball, ground]", "[ball, ball]"), {"scene.yaml:11:", "ball"});
}

TEST_F(ProgramBadInput, ASceneThatCannotGoOnEndsWithOne) {
  // The load becomes infinite at t = 5 ms: what was computed before is kept and marked as incomplete.
  write_file(directory_ / "scene.yaml",
             good_scene + "loads: {pull: {on: ball, force: [\"t < 0.005 ? 0 : 1/(t-t)\", 0, 0]}}\n");
  const ProgramResult result = run_program({"run", "scene.yaml", "--out", "result"}, directory_.path());
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_NE(result.errors.find("not finite"), std::string::npos) << result.errors;
  const std::string summary = read_file(directory_ / "result/summary.json");
  EXPECT_NE(summary.find("\"complete\": false"), std::string::npos);
  EXPECT_NE(summary.find("\"reason\""), std::string::npos);
}

}  // namespace
}  // namespace ricochet::test
