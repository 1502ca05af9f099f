#include "ricochet/simulation/snapshot.hpp"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

namespace ricochet::simulation {

namespace {

class Hasher {
 public:
  template <class Value>
  void operator()(const char* name, const Value& value) {
    bytes(name, std::strlen(name));
    if constexpr (std::is_arithmetic_v<Value>) {
      bytes(&value, sizeof(value));
    } else {
      bytes(value.data(), static_cast<std::size_t>(value.size()) * sizeof(double));
    }
  }

  std::uint64_t value() const { return hash_; }

 private:
  void bytes(const void* data, std::size_t size) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ byte[i]) * 1099511628211ULL;
  }

  std::uint64_t hash_ = 14695981039346656037ULL;
};

}  // namespace

std::string state_hash(const Snapshot& snapshot) {
  Hasher hasher;
  visit(snapshot, hasher);
  return fmt::format("{:016x}", hasher.value());
}

}  // namespace ricochet::simulation
