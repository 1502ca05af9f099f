// io/thumbnail: bodies appear where they are, near ones over far ones, and only what is there.
#include "ricochet/io/thumbnail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "io/drawn_model.hpp"
#include "ricochet/io/result_file.hpp"

namespace ricochet::io {
namespace {

using ::testing::HasSubstr;

std::string picture_of(const study::Case& run_case, int rows, std::size_t row) {
  const test::TemporaryDirectory folder;
  test::HandMadeRun run(run_case);
  ResultFile file(folder / "result.h5", run_case, {});
  for (int i = 0; i < rows; ++i) {
    file.write_row(run.frame(), {}, {});
    run.advance({});
  }
  file.close();
  return thumbnail_svg(ResultReader(folder / "result.h5"), row);
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Thumbnail, ShowsWhatIsThere) {
  const std::string start = picture_of(test::drawn_case(), 5, 0), later = picture_of(test::drawn_case(), 5, 3);
  EXPECT_TRUE(start.starts_with("<svg"));
  EXPECT_TRUE(start.ends_with("</svg>\n"));
  EXPECT_EQ(occurrences(start, "<circle"), 1u);  // the hinge
  EXPECT_EQ(occurrences(later, "<circle"), 2u);  // and the bob, which appears at 0.25 s
  EXPECT_EQ(occurrences(start, "<polyline"), 3u);
  EXPECT_EQ(start.find("nan"), std::string::npos);
  EXPECT_NE(start, later);
}

// A planar scene is seen from the front: a ball at the left, lower, and one at the right, higher.
study::Case two_balls() {
  study::Case run_case = test::floor_case();
  run_case.model.planar = true;
  run_case.model.nodes[0].position = Vector3(2, 3, 0);
  run_case.model.nodes[1].position = Vector3(-1, 1, 0);
  run_case.model.nodes[0].angular_velocity = run_case.model.nodes[0].velocity = Vector3::Zero();
  run_case.probes = {};
  return run_case;
}

TEST(Thumbnail, PlanarScenesFromTheFront) {
  const std::string picture = picture_of(two_balls(), 1, 0);
  const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\" r=\"([0-9.]+)\"");
  std::vector<Vector3> found;
  for (std::sregex_iterator match(picture.begin(), picture.end(), circle), end; match != end; ++match) {
    found.emplace_back(std::stod((*match)[1]), std::stod((*match)[2]), std::stod((*match)[3]));
  }
  ASSERT_EQ(found.size(), 2u);
  std::sort(found.begin(), found.end(), [](const Vector3& a, const Vector3& b) { return a.x() < b.x(); });
  EXPECT_GT(found[0].y(), found[1].y());  // y of a picture runs downwards
  EXPECT_NEAR((found[1].x() - found[0].x()) / (found[0].y() - found[1].y()), 3.0 / 2, 0.01);
  EXPECT_NEAR(found[1].z() / (found[1].x() - found[0].x()), 0.25 / 3, 0.01);  // the radius of the sphere
  for (const Vector3& each : found) {
    EXPECT_TRUE(each.x() > 0 && each.x() < 320 && each.y() > 0 && each.y() < 200);
  }
  EXPECT_THAT(picture, HasSubstr("<polygon"));  // the floor
}

TEST(Thumbnail, ABoxShowsThreeOfItsFaces) {
  study::Case run_case = test::floor_case();
  run_case.probes = {};
  run_case.model.bodies[0].parts = {{model::BoxShape{Vector3(1, 2, 3)}}};
  run_case.model.bodies[1].parts.clear();
  const std::string picture = picture_of(run_case, 1, 0);
  EXPECT_EQ(occurrences(picture, "<path"), 6u);    // two triangles each
  EXPECT_EQ(occurrences(picture, "<circle"), 1u);  // a body without a shape
}

TEST(ThumbnailBadInput, AResultWithoutGeometry) {
  const test::TemporaryDirectory folder;
  Hdf5File file = Hdf5File::create(folder / "result.h5");
  file.write_number("/format", 1);
  file.write("/time", std::vector<double>{0});
  file.close();
  EXPECT_THROW(thumbnail_svg(ResultReader(folder / "result.h5"), 0), FileError);
}

}  // namespace
}  // namespace ricochet::io
