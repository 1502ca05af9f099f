// io/gallery_page: every card is there, and no text breaks out of it.
#include "ricochet/io/gallery_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace ricochet::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(GalleryPage, HasACardForEveryScene) {
  const std::vector<GalleryCard> cards = {{"ball", "Ball", "It bounces.", "all facts hold", true, "<svg></svg>", true},
                                          {"block", "", "It rocks.", "stopped", false, "", false}};
  const std::string page = gallery_page(cards);
  EXPECT_TRUE(page.starts_with(gallery_mark));
  EXPECT_THAT(page, HasSubstr("2 scenes"));
  EXPECT_THAT(page, HasSubstr("<a href=\"ball/report.html\"><svg></svg></a>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"ball/report.html\">Ball</a>"));
  EXPECT_THAT(page, HasSubstr("<p class=\"good\">all facts hold</p>"));
  EXPECT_THAT(page, HasSubstr("<h2>block</h2>"));  // its id, for want of a name
  EXPECT_THAT(page, HasSubstr("<p class=\"bad\">stopped</p>"));
  EXPECT_THAT(page, Not(HasSubstr("block/report.html")));
}

TEST(GalleryPage, TextsAreTexts) {
  const std::string evil = "<script>\"&'</script>";
  const std::string page = gallery_page(std::vector<GalleryCard>{{"x\"y", evil, evil, evil, true, "", true}});
  EXPECT_THAT(page, Not(HasSubstr("<script>")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;&quot;&amp;'"));
  EXPECT_THAT(page, HasSubstr("href=\"x&quot;y/report.html\""));
  EXPECT_THAT(page, HasSubstr("1 scene<"));
}

}  // namespace
}  // namespace ricochet::io
