// The index page of `ricochet scenes gallery`: a card for each scene with a picture, its name and description, how the
// run ended, and a link to its report. One file without scripts.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ricochet::io {

struct GalleryCard {
  std::string id;           // of the scene; also the name of the directory beside the page that has its result
  std::string name;         // of the scene
  std::string description;  // of the scene
  std::string verdict;      // "all facts hold"
  bool good = true;         // the verdict
  std::string picture;      // SVG; empty: none
  bool has_report = true;
};

// What every such page begins with: a page that does not is not ours to replace.
inline constexpr std::string_view gallery_mark = "<!doctype html><!-- ricochet gallery -->";

std::string gallery_page(std::span<const GalleryCard> cards);

}  // namespace ricochet::io
