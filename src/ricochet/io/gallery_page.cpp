#include "ricochet/io/gallery_page.hpp"

#include <fmt/format.h>

#include "ricochet/io/version.hpp"

namespace ricochet::io {
namespace {

constexpr std::string_view gallery_style = R"(
:root { color-scheme: light dark; --page: #f6f6f3; --card: #fff; --ink: #20262b; --muted: #59636c; --rule: #dcdfdf;
  --accent: #24618f; --good: #1f6b48; --bad: #a32f2c; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1b1f23; --ink: #e2e5e8; --muted: #9ba5ae;
  --rule: #31373d; --accent: #79b6e3; --good: #7fd0a5; --bad: #f0948d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1440px; padding: 22px 28px 40px; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 18px; font-size: 29px; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 16px; }
article { display: flex; flex-direction: column; border: 1px solid var(--rule); border-radius: 6px;
  background: var(--card); overflow: hidden; }
svg { display: block; width: 100%; height: auto; }
div { padding: 10px 14px 12px; }
h2 { margin: 0; font-size: 16px; overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
p { margin: 4px 0 0; font-size: 13px; color: var(--muted); overflow-wrap: anywhere; }
.good { color: var(--good); }
.bad { color: var(--bad); }
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

std::string gallery_page(std::span<const GalleryCard> cards) {
  std::string text = fmt::format(
      "{}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Ricochet gallery</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>Ricochet: {} scene{}</h1>\n<main>\n",
      gallery_mark, gallery_style, cards.size(), cards.size() == 1 ? "" : "s");
  for (const GalleryCard& card : cards) {
    const std::string link = fmt::format("<a href=\"{}/report.html\">", escaped(card.id));
    const std::string title = escaped(card.name.empty() ? card.id : card.name);
    text += "<article>\n";
    if (!card.picture.empty()) text += card.has_report ? link + card.picture + "</a>\n" : card.picture;
    text += fmt::format("<div>\n<h2>{}</h2>\n<p>{}</p>\n<p class=\"{}\">{}</p>\n</div>\n</article>\n",
                        card.has_report ? link + title + "</a>" : title, escaped(card.description),
                        card.good ? "good" : "bad", escaped(card.verdict));
  }
  return text + fmt::format("</main>\n<p>Made by ricochet {}.</p>\n</body>\n</html>\n", version());
}

}  // namespace ricochet::io
