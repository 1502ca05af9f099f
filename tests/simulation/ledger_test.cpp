#include "ricochet/simulation/ledger.hpp"

#include <gtest/gtest.h>

namespace ricochet::simulation {
namespace {

TEST(Ledger, AddsUp) {
  Ledger ledger;
  ledger.work_loads = 99;  // begin forgets it
  ledger.begin(3, -5, 2);
  EXPECT_EQ(ledger.total(), -2);
  EXPECT_EQ(ledger.initial, -2);
  EXPECT_EQ(ledger.initial_potential, -5);
  EXPECT_EQ(ledger.scale, 5);
  EXPECT_EQ(ledger.closing_error(), 0);
  integrate::StepWorks works;
  works.loads = 1;
  works.damping = 2;
  works.contact_normal = -4;
  works.contact_tangential = -8;
  works.contact_created = 16;
  works.numerical = -32;
  // -2 + 1 - 2 - 4 - 8 - 32 = -47, so 0.5 J are not explained.
  ledger.add(works, 1, -47.5, 3);
  EXPECT_EQ(ledger.kinetic, 1);
  EXPECT_EQ(ledger.potential, -47.5);
  EXPECT_EQ(ledger.strain, 3);
  EXPECT_EQ(ledger.work_loads, 1);
  EXPECT_EQ(ledger.dissipated_damping, 2);
  EXPECT_EQ(ledger.contact_normal, -4);
  EXPECT_EQ(ledger.contact_tangential, -8);
  EXPECT_EQ(ledger.contact_created, 16);
  EXPECT_EQ(ledger.numerical, -32);
  EXPECT_EQ(ledger.closing_error(), 0.5);
  EXPECT_EQ(ledger.scale, 1 + 3 + 42.5 + 1 + 2 + 4 + 8);
  ledger.add({}, 1, -5, 0);
  EXPECT_EQ(ledger.scale, 61.5);  // never falls
  works = {};
  works.loads = 1;
  ledger.add(works, 1, -5, 0);
  EXPECT_EQ(ledger.work_loads, 2);
}

// Where the zero of the potential lies does not matter for the scale.
TEST(Ledger, ScaleDoesNotDependOnTheHeightOfTheScene) {
  Ledger low, high;
  low.begin(1, 0, 0);
  high.begin(1, 1e9, 0);
  low.add({}, 2, -1, 0);
  high.add({}, 2, 1e9 - 1, 0);
  EXPECT_EQ(low.scale, high.scale);
}

}  // namespace
}  // namespace ricochet::simulation
