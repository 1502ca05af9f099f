#include "ricochet/simulation/snapshot.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "ricochet/math/hash.hpp"
#include "ricochet/simulation/archive.hpp"

namespace ricochet::simulation {

namespace {

class Hasher : public Archive<Hasher> {
 public:
  template <class Number>
  void numbers(const char* name, const Number* first, std::size_t count) {
    hash_.add(name, std::strlen(name));
    hash_.add(first, count * sizeof(Number));
  }
  std::size_t size(const char* name, std::size_t now) {
    const std::uint64_t count = now;
    numbers(name, &count, 1);
    return now;
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  math::ByteHash hash_;
};

}  // namespace

std::string state_hash(const Snapshot& snapshot) {
  Hasher hasher;
  hasher("snapshot", snapshot);
  return fmt::format("{:016x}", hasher.value());
}

}  // namespace ricochet::simulation
