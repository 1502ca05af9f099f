// What is thrown when the input is wrong: a scene, an option, a name. The program shows the message and ends with exit
// code 2. A message says where, what is wrong, and what to do about it:
//
//   slide.yaml:12:15: 'bodies.block.mass' must be greater than 0, but is -1
//   --set parameters.frictoin=0.4: there is no parameter 'frictoin'; did you mean 'friction'?
//   chain.yaml:9:22: in generate.chain with i = 3: 'bodies.link-3.mass' must be greater than 0, but '2 - 3' is -1
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ricochet::io {

// Where something was written: a file with line and column (from one, in characters), or an option of the command line
// without them. What `generate` made does not stand there as it is: `making` says which turn made it.
struct Place {
  std::shared_ptr<const std::string> origin = {};
  int line = 0;
  int column = 0;
  std::shared_ptr<const std::string> making = {};  // "generate.chain with i = 3"

  std::string text() const {
    std::string result = origin ? *origin : std::string();
    if (line > 0) result += ":" + std::to_string(line) + ":" + std::to_string(column);
    return result;
  }
};

class InputError : public std::runtime_error {
 public:
  static constexpr int kExitCode = 2;

  InputError(Place place, std::string sentence)
      : std::runtime_error(message(place, sentence)), place_(std::move(place)), sentence_(std::move(sentence)) {}
  const Place& place() const { return place_; }
  const std::string& sentence() const { return sentence_; }  // without the place

 private:
  static std::string message(const Place& place, const std::string& sentence) {
    const std::string where = place.text().empty() ? "" : place.text() + ": ";
    return where + (place.making ? "in " + *place.making + ": " : "") + sentence;
  }

  Place place_;
  std::string sentence_;
};

// Text of the user within a message: quoted, without control characters, and not longer than a line.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::size_t end = std::min(text.size(), kLongest);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  std::string result = "'";
  for (const char c : text.substr(0, end)) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return result + (end < text.size() ? "...'" : "'");
}

}  // namespace ricochet::io
