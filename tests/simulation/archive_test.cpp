// simulation/archive: what is visited comes back bit for bit, what is not does not.
#include "ricochet/simulation/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "ricochet/math/random.hpp"
#include "simulation/test_runs.hpp"

namespace ricochet::simulation {
namespace {

enum class Colour { red, green };

struct Inner {
  double weight = 0;
  std::vector<std::string> words;
  friend bool operator==(const Inner&, const Inner&) = default;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("weight", self.weight);
    visitor("words", self.words);
  }
};

struct Everything {
  bool flag = false;
  int number = 0;
  long large = 0;
  Colour colour = Colour::red;
  std::string text;
  Vector3 fixed = Vector3::Zero();
  VectorX dynamic;
  std::array<double, 3> array = {};
  std::array<Inner, 2> inner_array;
  std::vector<double> list;
  std::vector<Inner> inners;
  std::optional<double> maybe;
  std::optional<Inner> maybe_inner;
  int forgotten = 0;
  friend bool operator==(const Everything&, const Everything&) = default;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("flag", self.flag);
    visitor("number", self.number);
    visitor("large", self.large);
    visitor("colour", self.colour);
    visitor("text", self.text);
    visitor("fixed", self.fixed);
    visitor("dynamic", self.dynamic);
    visitor("array", self.array);
    visitor("inner_array", self.inner_array);
    visitor("list", self.list);
    visitor("inners", self.inners);
    visitor("maybe", self.maybe);
    visitor("maybe_inner", self.maybe_inner);
  }
};

Everything random_everything(math::Random& random) {
  const auto count = [&] { return static_cast<std::size_t>(random.uniform(0, 4)); };
  const auto inner = [&] {
    Inner result{random.normal(), {}};
    for (std::size_t i = count(); i > 0; --i) result.words.emplace_back(count(), 'a' + static_cast<char>(i));
    return result;
  };
  Everything all;
  all.flag = random.uniform(0, 1) < 0.5;
  all.number = static_cast<int>(random.uniform(-1e9, 1e9));
  all.large = static_cast<long>(random.uniform(-1e18, 1e18));
  all.colour = random.uniform(0, 1) < 0.5 ? Colour::green : Colour::red;
  all.text = std::string(count(), '\0') + "x";
  all.fixed = Vector3(random.normal(), -0.0, std::numeric_limits<double>::denorm_min());
  all.dynamic = VectorX::Constant(static_cast<Eigen::Index>(count()), random.normal());
  all.array = {random.normal(), std::numeric_limits<double>::infinity(), 0};
  for (Inner& one : all.inner_array) one = inner();
  for (std::size_t i = count(); i > 0; --i) all.list.push_back(random.normal());
  for (std::size_t i = count(); i > 0; --i) all.inners.push_back(inner());
  if (random.uniform(0, 1) < 0.5) all.maybe = random.normal();
  if (random.uniform(0, 1) < 0.5) all.maybe_inner = inner();
  return all;
}

template <class Value>
std::string stored(const Value& value) {
  std::string bytes;
  ByteWriter writer(bytes);
  writer("value", value);
  return bytes;
}

template <class Value>
void load(const std::string& bytes, Value& value) {
  ByteReader reader(bytes);
  reader("value", value);
  EXPECT_TRUE(reader.done());
}

TEST(ArchiveProperty, WhateverIsVisitedComesBack) {
  math::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Everything original = random_everything(random);
    Everything copy = random_everything(random);  // with other contents and sizes, which must not matter
    load(stored(original), copy);
    EXPECT_TRUE(copy == original) << i;
    EXPECT_EQ(stored(copy), stored(original));
  }
}

TEST(Archive, WhatIsNotVisitedDoesNotSurvive) {
  Everything original, copy;
  original.forgotten = 1;
  load(stored(original), copy);
  EXPECT_EQ(copy.forgotten, 0);
}

TEST(Archive, NotANumberKeepsItsBits) {
  const std::vector<double> original = {std::nan("7"), -std::nan("1")};
  std::vector<double> copy;
  load(stored(original), copy);
  EXPECT_EQ(std::memcmp(copy.data(), original.data(), 16), 0);
}

TEST(Archive, ASpanIsStoredLikeAVector) {
  const std::vector<double> numbers = {1, 2, 3};
  const std::span<const double> view = numbers;
  EXPECT_EQ(stored(view), stored(numbers));
}

TEST(ArchiveBadInput, EveryShorterTextIsRefused) {
  math::Random random(6);
  const std::string bytes = stored(random_everything(random));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Everything copy;
    ByteReader reader(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(reader("value", copy), ArchiveError) << size;
  }
}

TEST(ArchiveBadInput, AnImpossibleSizeIsRefusedBeforeItIsReserved) {
  const std::uint64_t size = std::uint64_t{1} << 60;
  std::vector<double> list;
  ByteReader reader(std::string_view(reinterpret_cast<const char*>(&size), sizeof(size)));
  EXPECT_THROW(reader("list", list), ArchiveError);
}

// What a simulation visits is enough to go on in another one: snapshot and statistics.
TEST(Archive, AStoredSimulationContinuesBitForBit) {
  for (const bool springs : {false, true}) {
    const model::Model model = springs ? test::machine_with_everything() : test::balls_on_a_plane(5);
    Simulation original(model, test::settings_for(1, 1e-3));
    for (int i = 0; i < 137; ++i) ASSERT_TRUE(original.step());
    Simulation resumed(model, test::settings_for(1, 1e-3));
    load(stored(original), resumed);
    EXPECT_EQ(stored(resumed), stored(original));
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(original.step());
      ASSERT_TRUE(resumed.step());
    }
    EXPECT_EQ(state_hash(original.snapshot()), state_hash(resumed.snapshot()));
    EXPECT_EQ(original.statistics().iterations_sum, resumed.statistics().iterations_sum);
    EXPECT_EQ(original.statistics().steps, resumed.statistics().steps);
  }
}

}  // namespace
}  // namespace ricochet::simulation
