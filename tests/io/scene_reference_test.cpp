#include "ricochet/io/scene_reference.hpp"

#include <gtest/gtest.h>

#include "io/output_test_support.hpp"
#include "ricochet/io/scene_reader.hpp"
#include "ricochet/io/scene_schema.hpp"

namespace ricochet::test {
namespace {

std::string scene_page() { return file_text(std::string(RICOCHET_SOURCE_DIR) + "/docs/scene.md"); }

TEST(SceneReferenceDocs, ThePageEndsWithTheReferenceOfTheSchema) {
  const std::string page = scene_page();
  const std::string begin = std::string(io::kReferenceBegin) + "\n\n";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find(io::kReferenceEnd);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_TRUE(page.substr(from + begin.size(), to - from - begin.size()) == io::scene_reference())
      << "docs/scene.md differs from the schema: replace the part between the two markers by what `ricochet check "
         "--reference` prints";
}

TEST(SceneReferenceDocs, EveryTopLevelKeyIsInATable) {
  const std::string reference = io::scene_reference();
  for (const io::Field& field : io::scene_schema().fields) {
    EXPECT_NE(reference.find("| `" + field.key + "` |"), std::string::npos) << field.key;
  }
}

// Every scene that the page shows whole must be one that the program reads.
TEST(SceneReferenceDocs, TheScenesOfThePageAreScenes) {
  const std::string page = scene_page();
  int scenes = 0;
  for (std::size_t begin = page.find("```yaml\n"); begin != std::string::npos;
       begin = page.find("```yaml\n", begin + 1)) {
    const std::size_t from = begin + 8;
    const std::string block = page.substr(from, page.find("```", from) - from);
    if (block.find("ricochet: 1") == std::string::npos) continue;
    ++scenes;
    EXPECT_NO_THROW(io::read_scene_text(block, "docs.yaml"));
    if (block.find("\nvariants:") != std::string::npos) {
      EXPECT_NO_THROW(io::read_scene_text(block, "docs.yaml", {}, "steep"));
    }
  }
  EXPECT_GE(scenes, 1);
}

}  // namespace
}  // namespace ricochet::test
