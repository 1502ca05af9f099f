// `ricochet export` and `ricochet scenes gallery`, as users run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.hpp"

namespace ricochet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Export, AResultForParaView) {
  const TemporaryDirectory folder;
  ASSERT_EQ(run_program({"run", "four-bar-linkage", "--out", "r", "--quiet", "--end", "0.02"}, folder.path()).exit_code,
            0);
  const ProgramResult all = run_program({"export", "r", "--vtk", "vtk"}, folder.path());
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_THAT(all.output, HasSubstr("vtk/bodies.pvd"));
  EXPECT_THAT(all.output, Not(HasSubstr("notice")));
  EXPECT_TRUE(fs::exists(folder / "vtk/contacts-000020.vtp"));
  const ProgramResult few = run_program({"export", "r", "--vtk", "vtk", "--frames", "3"}, folder.path());
  EXPECT_EQ(few.exit_code, 0);
  EXPECT_THAT(few.output, HasSubstr("notice: 3 of 21 rows"));
  EXPECT_FALSE(fs::exists(folder / "vtk/contacts-000020.vtp"));
}

TEST(ExportBadInput, TellsWhatIsWrong) {
  const TemporaryDirectory folder;
  const ProgramResult missing = run_program({"export", "nothing", "--vtk", "vtk"}, folder.path());
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.errors, HasSubstr("made from a result directory"));
  EXPECT_EQ(run_program({"export", "nothing"}, folder.path()).exit_code, 2);
  ASSERT_EQ(run_program({"run", "four-bar-linkage", "--out", "r", "--quiet", "--end", "0.01"}, folder.path()).exit_code,
            0);
  write_file(folder / "taken", "");
  const ProgramResult taken = run_program({"export", "r", "--vtk", "taken"}, folder.path());
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_THAT(taken.errors, HasSubstr("'taken' cannot be made"));
  const ProgramResult own = run_program({"export", "r", "--vtk", "r"}, folder.path());
  EXPECT_EQ(own.exit_code, 2);
  EXPECT_TRUE(fs::exists(folder / "r/result.h5"));
}

TEST(Gallery, RunsScenesAndShowsThem) {
  const TemporaryDirectory folder;
  const ProgramResult made = run_program({"scenes", "gallery", "g", "bouncing-b*", "four-bar-linkage"}, folder.path());
  EXPECT_EQ(made.exit_code, 0) << made.errors;
  const std::string page = read_file(folder / "g/index.html");
  EXPECT_THAT(page, HasSubstr("3 scenes"));
  for (const char* id : {"bouncing-ball", "bouncing-box", "four-bar-linkage"}) {
    EXPECT_THAT(page, HasSubstr(std::string("href=\"") + id + "/report.html\""));
    EXPECT_TRUE(fs::exists(folder / "g" / id / "report.html"));
  }
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("all facts hold"));
  const ProgramResult again = run_program({"scenes", "gallery", "g", "bouncing-ball"}, folder.path());
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_THAT(read_file(folder / "g/index.html"), HasSubstr("1 scene<"));
}

TEST(GalleryBadInput, TellsWhatIsWrong) {
  const TemporaryDirectory folder;
  EXPECT_EQ(run_program({"scenes", "gallery"}, folder.path()).exit_code, 2);
  EXPECT_EQ(run_program({"scenes", "gallery", "g", "no-such-scene"}, folder.path()).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder / "g"));
  write_file(folder / "index.html", "<html>mine</html>");
  const ProgramResult foreign = run_program({"scenes", "gallery", ".", "bouncing-ball"}, folder.path());
  EXPECT_EQ(foreign.exit_code, 2);
  EXPECT_THAT(foreign.errors, HasSubstr("not a gallery"));
  EXPECT_EQ(read_file(folder / "index.html"), "<html>mine</html>");
}

}  // namespace
}  // namespace ricochet::test
