#include "ricochet/simulation/snapshot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <type_traits>

#include "ricochet/simulation/archive.hpp"
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
struct Spoiler : Archive<Spoiler> {
  explicit Spoiler(int number) : target(number) {}
  int target = 0;
  int count = 0;
  template <class Number>
  void numbers(const char* /*name*/, Number* first, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      if (count++ != target) continue;
      if constexpr (std::is_integral_v<Number>) {
        ++first[i];
      } else {
        first[i] = std::nextafter(first[i], 1e300);
      }
    }
  }
  std::size_t size(const char* /*name*/, std::size_t now) const { return now; }
};

TEST(Snapshot, EveryNumberCountsInTheHash) {
  const Snapshot original = snapshot_of_a_run();
  ASSERT_GE(original.instant.memory.contacts.size(), 4u);
  const std::string hash = state_hash(original);
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(hash, state_hash(Snapshot(original)));
  Spoiler counter(-1);
  Snapshot copy = original;
  counter("snapshot", copy);
  std::set<std::string> hashes = {hash};
  for (int i = 0; i < counter.count; ++i) {
    Snapshot spoiled = original;
    Spoiler spoiler(i);
    spoiler("snapshot", spoiled);
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

// Lays the visited members out as the compiler does. If the sum is not the size of the type, a member is missing in its
// visit, or does not stand in the order of declaration.
struct Layout {
  std::size_t offset = 0;
  template <class Member>
  void operator()(const char* /*name*/, Member& /*member*/) {
    offset = (offset + alignof(Member) - 1) / alignof(Member) * alignof(Member) + sizeof(Member);
  }
};

template <class Type>
bool visit_lists_every_member() {
  Type value;
  Layout layout;
  Type::visit(value, layout);
  return (layout.offset + alignof(Type) - 1) / alignof(Type) * alignof(Type) == sizeof(Type);
}

struct Forgetful {
  double seen = 0;
  double forgotten = 0;
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("seen", self.seen);
  }
};

TEST(Snapshot, TheVisitListsEveryMember) {
  EXPECT_FALSE(visit_lists_every_member<Forgetful>());
  EXPECT_TRUE(visit_lists_every_member<Snapshot>());
  EXPECT_TRUE(visit_lists_every_member<Ledger>());
  EXPECT_TRUE(visit_lists_every_member<Statistics>());
  EXPECT_TRUE(visit_lists_every_member<integrate::Instant>());
  EXPECT_TRUE(visit_lists_every_member<integrate::StepReport>());
  EXPECT_TRUE(visit_lists_every_member<integrate::SubproblemReport>());
  EXPECT_TRUE(visit_lists_every_member<integrate::AccelerationMemory>());
  EXPECT_TRUE(visit_lists_every_member<integrate::StepWorks>());
  EXPECT_TRUE(visit_lists_every_member<integrate::ContactRecord>());
  EXPECT_TRUE(visit_lists_every_member<cone::SolveReport>());
  EXPECT_TRUE(visit_lists_every_member<mechanics::State>());
  EXPECT_TRUE(visit_lists_every_member<contact::ContactMemory>());
  EXPECT_TRUE(visit_lists_every_member<contact::RememberedContact>());
  EXPECT_TRUE(visit_lists_every_member<contact::ContactKey>());
  EXPECT_TRUE(visit_lists_every_member<contact::ContactAxes>());
}

// What the visit lists is enough to go on: a fresh snapshot that gets its members through the visit alone.
TEST(Snapshot, CopyThroughTheVisitContinuesBitForBit) {
  const model::Model model = test::machine_with_everything();
  Simulation original(model, test::settings_for(1, 1e-3));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(original.step());
  std::string bytes;
  ByteWriter writer(bytes);
  writer("snapshot", original.snapshot());
  Snapshot copy;
  ByteReader reader(bytes);
  reader("snapshot", copy);
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(state_hash(copy), state_hash(original.snapshot()));
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
