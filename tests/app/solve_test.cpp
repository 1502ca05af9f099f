// `ricochet solve` as its users run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/program.hpp"

namespace ricochet::test {
namespace {

using testing::HasSubstr;

const fs::path corpus = fs::path(RICOCHET_SOURCE_DIR) / "tests/io/problem_corpus";

// Two coupled spatial contacts that close: one sticks, one slips.
const std::string two_contacts =
    "3 2 0 6 6 6 6\n"
    "2 0.1 0 0.5 0 0.1   0.1 1.5 0 0 0.3 0   0 0 1.5 0.2 0 0.3\n"
    "0.5 0 0.2 2 0.1 0   0 0.3 0 0.1 1.5 0   0.1 0 0.3 0 0 1.5\n"
    "-1 0.1 0.05 -2 3 1\n"
    "0.5 0.3\n";

class ProgramSolve : public ::testing::Test {
 protected:
  ProgramResult solve(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "solve");
    return run_program(arguments, directory_.path());
  }
  // Python's verdict on what was written.
  void check(const std::string& json) {
    const std::string command = "python3 '" RICOCHET_SOURCE_DIR "/tests/app/check_solution.py' '" +
                                (directory_ / json).string() + "' > '" + (directory_ / "verdict.txt").string() +
                                "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read_file(directory_ / "verdict.txt");
  }

  TemporaryDirectory directory_;
};

TEST_F(ProgramSolve, TableAndJson) {
  const std::string file = (directory_ / "two.dat").string();
  write_file(file, two_contacts);
  const ProgramResult result = solve({file, "--json", "two.json", "--tolerance", "1e-12"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("residual"));
  EXPECT_THAT(result.output, HasSubstr("two.dat"));
  EXPECT_THAT(result.output, HasSubstr("1 of 1 problems reach 1e-12"));
  EXPECT_THAT(read_file(directory_ / "two.json"), HasSubstr("\"status\":\"converged\""));
  check("two.json");
}

TEST_F(ProgramSolve, EverySolver) {
  const std::string file = (directory_ / "two.dat").string();
  write_file(file, two_contacts);
  const ProgramResult result = solve({file, "--solver", "all", "--json", "two.json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* name : {"auto", "gauss-seidel", "newton", "enumeration"}) {
    EXPECT_THAT(result.output, HasSubstr(name));
  }
  EXPECT_THAT(result.output, HasSubstr("none bilateral"));
  EXPECT_THAT(result.output, HasSubstr("takes problems in global form only"));
  EXPECT_THAT(read_file(directory_ / "two.json"), testing::Not(HasSubstr("not_applicable")));
  check("two.json");
}

TEST_F(ProgramSolve, DirectoriesAndGlobs) {
  write_file(directory_ / "b.dat", two_contacts);
  write_file(directory_ / "a.dat", two_contacts);
  write_file(directory_ / "notes.txt", "nothing to solve");
  ProgramResult result = solve({"."});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_LT(result.output.find("a.dat"), result.output.find("b.dat"));
  EXPECT_THAT(result.output, HasSubstr("2 of 2"));
  result = solve({"[b]*.dat", "--quiet"});
  EXPECT_EQ(result.output, "1 of 1 problems reach 1e-08\n");
  result = solve({"c*.dat"});
  EXPECT_EQ(result.exit_code, 2);
  fs::create_directory(directory_ / "empty");
  result = solve({"empty"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("no problem file"));
}

TEST_F(ProgramSolve, AToleranceThatIsNotReached) {
  write_file(directory_ / "two.dat", two_contacts);
  const ProgramResult result =
      solve({"two.dat", "--tolerance", "1e-15", "--max-iterations", "1", "--solver", "gauss-seidel", "--quiet"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("not reached"));
  EXPECT_THAT(result.output, HasSubstr("0 of 1 problems reach 1e-15"));
}

TEST_F(ProgramSolve, TheWorstContacts) {
  write_file(directory_ / "two.dat", two_contacts);
  ProgramResult result = solve({"two.dat", "--worst", "1", "--json", "two.json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, testing::ContainsRegex("\n  contact +[01]  size 3  (stick|slip ) +residual "));
  EXPECT_THAT(read_file(directory_ / "two.json"),
              testing::ContainsRegex("\"worst\":\\[\\{\"contact\":[01],\"residual\""));
  // Without the option nothing is printed, but the file of a miss names them.
  result = solve({"two.dat", "--max-iterations", "1", "--solver", "gauss-seidel", "--json", "two.json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.output, testing::Not(HasSubstr("  contact ")));
  EXPECT_THAT(read_file(directory_ / "two.json"), HasSubstr("\"worst\""));
  result = solve({"two.dat", "--json", "two.json"});
  EXPECT_THAT(read_file(directory_ / "two.json"), testing::Not(HasSubstr("\"worst\"")));
}

TEST_F(ProgramSolve, GlobalProblems) {
  const ProgramResult result = solve({(corpus / "global.dat").string(), (corpus / "dense.dat").string()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 of 2"));
}

TEST_F(ProgramSolve, ARunsProblemIsSolvedAgain) {
  ProgramResult result = run_program({"run", "box-on-incline", "--out", "box", "--end", "0.02", "--no-report",
                                      "--dump-problem", "7", "--dump-problem", "every:10"},
                                     directory_.path());
  EXPECT_THAT(result.output, HasSubstr("problem-7.hdf5, problem-10.hdf5, problem-20.hdf5"));
  result = solve({"box", "--tolerance", "1e-10"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("3 of 3"));
}

TEST_F(ProgramSolve, TheIndependentCheckOfPublicProblems) {
  const char* given = std::getenv("RICOCHET_CONTACT_PROBLEMS");
  const fs::path folder = given != nullptr ? given : RICOCHET_SOURCE_DIR "/../shared/contact_problems";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "the public problems are not there";
  const auto file = [&](const char* name) { return (folder / name).string(); };
  const ProgramResult result = solve({file("Rover*.dat"), file("NESpheres_10_1.dat"), file("FC2D*.dat"),
                                      file("FrictionContact3D*.dat"), "--json", "public.json"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  check("public.json");
}

class ProgramSolveBadInput : public ProgramSolve {};

TEST_F(ProgramSolveBadInput, WrongUsage) {
  write_file(directory_ / "two.dat", two_contacts);
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const ProgramResult result = solve(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(part));
  };
  refused({}, "problems");
  refused({"two.dat", "--solver", "gauss-siedel"}, "did you mean 'gauss-seidel'?");
  for (const char* tolerance : {"0", "-1", "nan", "inf", "1"})
    refused({"two.dat", "--tolerance", tolerance}, "tolerance");
  refused({"two.dat", "--max-iterations", "0"}, "max-iterations");
  for (const char* count : {"-1", "few", "1.5", "99999999999"}) refused({"two.dat", "--worst", count}, "worst");
  refused({"two.dat", "--worst"}, "worst");
  refused({"two.dat", "--json", "nowhere/two.json"}, "nowhere");
}

TEST_F(ProgramSolveBadInput, EveryBadFileEndsWithThree) {
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string hdf5 = read_file(corpus / "local.hdf5");
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"empty.dat", ""},
      {"empty.hdf5", ""},
      {"text.hdf5", two_contacts},
      {"truncated.dat", two_contacts.substr(0, 60)},
      {"truncated.hdf5", hdf5.substr(0, hdf5.size() / 2)},
      {"nan.dat", replaced(two_contacts, "0.1 1.5", "nan 1.5")},
      {"negative-friction.dat", replaced(two_contacts, "0.5 0.3\n", "0.5 -0.3\n")},
      {"sizes.dat", replaced(two_contacts, "3 2", "3 3")},
      {"not-square.dat", replaced(two_contacts, "6 6 6 6", "6 5 6 5")},
      {"giant.dat", replaced(two_contacts, "6 6 6 6", "60000 60000 60000 60000")},
  };
  for (const auto& [name, content] : bad) {
    write_file(directory_ / name, content);
    const ProgramResult result = solve({name});
    EXPECT_EQ(result.exit_code, 3) << name << ": " << result.errors << " signal " << result.signal;
    EXPECT_THAT(result.errors, testing::StartsWith("ricochet: " + name + ":")) << name;
  }
  // The good ones among bad ones are solved all the same.
  write_file(directory_ / "two.dat", two_contacts);
  const ProgramResult result = solve({"nan.dat", "two.dat", "nowhere.dat"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("1 of 3"));
}

TEST_F(ProgramSolveBadInput, ASingularMassMatrix) {
  write_file(directory_ / "singular.dat", "2 1  0 2 2 2 2 0 0 0 0  0 2 2 2 2 1 0 0 1   0 0   -1 0.5  0.3\n");
  const ProgramResult result = solve({"singular.dat"});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(result.errors, HasSubstr("singular"));
}

}  // namespace
}  // namespace ricochet::test
