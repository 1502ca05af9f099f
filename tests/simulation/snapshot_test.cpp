#include "ricochet/simulation/snapshot.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

#include "simulation/test_runs.hpp"

namespace ricochet::simulation {
namespace {

Snapshot snapshot_of_a_run() {
  const model::Model model = test::machine_with_everything();
  Simulation simulation(model, test::settings_for(1, 1e-3));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(simulation.step());
  return simulation.snapshot();
}

// Changes the last bit of one number of a snapshot: the n-th that the visit lists.
struct Spoiler {
  int target = 0;
  int count = 0;
  template <class Value>
  void operator()(const char* /*name*/, Value& value) {
    if constexpr (std::is_integral_v<Value>) {
      if (count++ == target) ++value;
    } else if constexpr (std::is_floating_point_v<Value>) {
      if (count++ == target) value = std::nextafter(value, 1e300);
    } else {
      for (Eigen::Index i = 0; i < value.size(); ++i) {
        if (count++ == target) value[i] = std::nextafter(value[i], 1e300);
      }
    }
  }
};

TEST(Snapshot, EveryNumberCountsInTheHash) {
  const Snapshot original = snapshot_of_a_run();
  ASSERT_GE(original.instant.memory.contacts.size(), 4u);
  const std::string hash = state_hash(original);
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(hash, state_hash(Snapshot(original)));
  Spoiler counter{.target = -1};
  Snapshot copy = original;
  visit(copy, counter);
  std::set<std::string> hashes = {hash};
  for (int i = 0; i < counter.count; ++i) {
    Snapshot spoiled = original;
    visit(spoiled, Spoiler{.target = i});
    hashes.insert(state_hash(spoiled));
  }
  EXPECT_EQ(hashes.size(), static_cast<std::size_t>(counter.count) + 1);
}

TEST(Snapshot, ANewContactCountsInTheHash) {
  const Snapshot original = snapshot_of_a_run();
  Snapshot other = original;
  other.instant.memory.contacts.emplace_back();
  EXPECT_NE(state_hash(original), state_hash(other));
  other = original;
  other.instant.memory.contacts.pop_back();
  EXPECT_NE(state_hash(original), state_hash(other));
}

// Adds the sizes of all members that the visit lists.
struct SizeCounter {
  std::size_t bytes = 0;
  template <class Value>
  void operator()(const char* /*name*/, Value& /*value*/) {
    bytes += sizeof(Value);
  }
};

// A member that is added to a struct of the snapshot without being visited makes these sizes differ.
TEST(Snapshot, TheVisitListsEveryMember) {
  const auto visited = [](Snapshot& snapshot) {
    SizeCounter counter;
    visit(snapshot, counter);
    return counter.bytes;
  };
  Snapshot empty;
  constexpr std::size_t kContactList = sizeof(contact::ContactMemory);
  EXPECT_EQ(visited(empty) + kContactList, sizeof(Snapshot));
  EXPECT_EQ(sizeof(std::vector<contact::RememberedContact>), kContactList);
  Snapshot one;
  one.instant.memory.contacts.emplace_back();
  constexpr std::size_t kPadding = 4;  // five integers before a double
  EXPECT_EQ(visited(one) - visited(empty) + kPadding, sizeof(contact::RememberedContact));
}

// What the visit lists is enough to go on: a fresh snapshot that gets its members through the visit alone.
TEST(Snapshot, CopyThroughTheVisitContinuesBitForBit) {
  const model::Model model = test::machine_with_everything();
  Simulation original(model, test::settings_for(1, 1e-3));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(original.step());
  std::vector<std::vector<double>> numbers;
  Snapshot source = original.snapshot();
  visit(source, [&](const char*, auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(value)>>) {
      numbers.push_back({static_cast<double>(value)});
    } else {
      numbers.emplace_back(value.data(), value.data() + value.size());
    }
  });
  Snapshot copy;
  copy.instant.memory.contacts.resize(source.instant.memory.contacts.size());
  std::size_t next = 0;
  visit(copy, [&](const char*, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    const std::vector<double>& from = numbers[next++];
    if constexpr (std::is_arithmetic_v<Value>) {
      value = static_cast<Value>(from[0]);
    } else {
      value = Eigen::Map<const VectorX>(from.data(), static_cast<Eigen::Index>(from.size()));
    }
  });
  EXPECT_EQ(state_hash(copy), state_hash(source));
  Simulation resumed(model, test::settings_for(1, 1e-3));
  resumed.restore(copy);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(original.step());
    ASSERT_TRUE(resumed.step());
    ASSERT_EQ(state_hash(original.snapshot()), state_hash(resumed.snapshot())) << "step " << i;
  }
}

}  // namespace
}  // namespace ricochet::simulation
