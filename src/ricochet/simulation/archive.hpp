// Archives: one way to hash, store and restore whatever a run remembers.
//
// A type that a run remembers has ONE function that lists its members, for reading and for writing alike:
//
//   struct Statistics {
//     long steps = 0;
//     std::vector<double> seconds;
//
//     template <class Self, class Visitor>
//     static void visit(Self& self, Visitor&& visitor) {
//       visitor("steps", self.steps);
//       visitor("seconds", self.seconds);
//     }
//   };
//
// Rooms above this one write such a function without knowing archives. An archive is a visitor that goes on into
// members that have a `visit` themselves, and into sequences, whose size it keeps. So a kind of archive only says what
// to do with plain numbers and with sizes. What is not visited is neither hashed nor stored, and does not survive a
// restart.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "ricochet/math/types.hpp"

namespace ricochet::simulation {

template <class Type>
inline constexpr bool is_plain_number = std::is_arithmetic_v<Type> || std::is_enum_v<Type>;

// Kind must have
//   void numbers(const char* name, Number* first, std::size_t count)       one or several numbers, in place
//   std::size_t size(const char* name, std::size_t now)                    of a sequence: what it is, or shall be
template <class Kind>
class Archive {
 public:
  template <class Value>
  void operator()(const char* name, Value& value) {
    using Plain = std::remove_const_t<Value>;
    if constexpr (is_plain_number<Plain>) {
      kind().numbers(name, &value, 1);
    } else if constexpr (std::is_base_of_v<Eigen::DenseBase<Plain>, Plain>) {
      if constexpr (Plain::SizeAtCompileTime == Eigen::Dynamic) fit(name, value);
      kind().numbers(name, value.data(), static_cast<std::size_t>(value.size()));
    } else if constexpr (requires { value.has_value(); }) {
      optional(name, value);
    } else if constexpr (requires { value.begin(); }) {
      if constexpr (!requires { std::tuple_size<Plain>::value; }) fit(name, value);
      elements(name, value);
    } else {
      Plain::visit(value, kind());
    }
  }

 protected:
  ~Archive() = default;

 private:
  Kind& kind() { return static_cast<Kind&>(*this); }

  template <class Sequence>
  void fit(const char* name, Sequence& sequence) {
    const std::size_t size = kind().size(name, static_cast<std::size_t>(sequence.size()));
    if constexpr (!std::is_const_v<Sequence>) {
      if (size != static_cast<std::size_t>(sequence.size())) sequence.resize(size);
    }
  }

  template <class Sequence>
  void elements(const char* name, Sequence& sequence) {
    if constexpr (is_plain_number<std::remove_cvref_t<decltype(*sequence.data())>>) {
      kind().numbers(name, sequence.data(), sequence.size());
    } else {
      for (auto& element : sequence) (*this)(name, element);
    }
  }

  template <class Optional>
  void optional(const char* name, Optional& value) {
    const bool present = kind().size(name, value.has_value() ? 1 : 0) != 0;
    if constexpr (!std::is_const_v<Optional>) {
      if (!present) value.reset();
      if (present && !value) value.emplace();
    }
    if (value) (*this)(name, *value);
  }
};

// Adds the bytes of everything it visits to a text. Names are not stored: the same program reads what it wrote.
class ByteWriter : public Archive<ByteWriter> {
 public:
  explicit ByteWriter(std::string& bytes) : bytes_(bytes) {}

  template <class Number>
  void numbers(const char* /*name*/, const Number* first, std::size_t count) {
    if (count > 0) bytes_.append(reinterpret_cast<const char*>(first), count * sizeof(Number));
  }
  std::size_t size(const char* name, std::size_t now) {
    const std::uint64_t stored = now;
    numbers(name, &stored, 1);
    return now;
  }

 private:
  std::string& bytes_;
};

class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Gives everything it visits the value that a ByteWriter stored, in the same order. Throws ArchiveError, with the name
// of the member, if the bytes end too early.
class ByteReader : public Archive<ByteReader> {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  void numbers(const char* name, Number* first, std::size_t count) {
    const std::size_t wanted = count * sizeof(Number);
    if (wanted > bytes_.size()) fail(name);
    if (wanted > 0) std::memcpy(first, bytes_.data(), wanted);
    bytes_.remove_prefix(wanted);
  }
  std::size_t size(const char* name, std::size_t /*now*/) {
    std::uint64_t stored = 0;
    numbers(name, &stored, 1);
    if (stored > bytes_.size()) fail(name);  // every element has at least one byte
    return stored;
  }

  bool done() const { return bytes_.empty(); }

 private:
  [[noreturn]] static void fail(const char* name) {
    throw ArchiveError(std::string("the stored data end before '") + name + "'");
  }

  std::string_view bytes_;
};

}  // namespace ricochet::simulation
