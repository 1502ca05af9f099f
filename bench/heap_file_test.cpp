#include "bench/heap_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace ricochet::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Heap two_bodies() {
  Heap heap;
  heap.step = 5e-3;
  heap.gravity = {0, 0.1, -9.81};
  heap.friction = 1.0 / 3;
  heap.planes = {{{0, 0, -0.1}, {0, 0, 1}}, {{1.0 / 7, 0, 0}, {1, 0, 0}}};
  const math::Quaternion turned = math::Quaternion::from_axis_angle({1, 2, 3}, 0.7);
  heap.bodies = {{false, 8, {0.1, 0.2, 0.3}, {1, 2, 1.0 / 3}, turned, {0.1, 0.2, -0.3}, {4, 5, 6}},
                 {true, 2, {0.5, 0, 0}, {-1, 2, 3}, {}, {0, 0, -2}, {0, 1.0 / 9, 0}}};
  return heap;
}

std::string temporary_file() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  return (std::filesystem::temp_directory_path() / (std::string("ricochet-") + test->name() + ".heap")).string();
}

void expect_equal(const Heap& a, const Heap& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.gravity, b.gravity);
  EXPECT_EQ(a.friction, b.friction);
  ASSERT_EQ(a.planes.size(), b.planes.size());
  for (std::size_t i = 0; i < a.planes.size(); ++i) {
    EXPECT_EQ(a.planes[i].point, b.planes[i].point);
    EXPECT_EQ(a.planes[i].normal, b.planes[i].normal);
  }
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].is_ball, b.bodies[i].is_ball);
    EXPECT_EQ(a.bodies[i].mass, b.bodies[i].mass);
    EXPECT_EQ(a.bodies[i].size, b.bodies[i].size);
    EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
    EXPECT_EQ(a.bodies[i].orientation.w, b.bodies[i].orientation.w);
    EXPECT_EQ(a.bodies[i].orientation.vector_part(), b.bodies[i].orientation.vector_part());
    EXPECT_EQ(a.bodies[i].velocity, b.bodies[i].velocity);
    EXPECT_EQ(a.bodies[i].angular_velocity, b.bodies[i].angular_velocity);
  }
}

TEST(HeapFile, what_is_written_is_read_to_the_last_bit) {
  const std::string path = temporary_file();
  write_heap(two_bodies(), path);
  expect_equal(read_heap(path), two_bodies());
  std::filesystem::remove(path);
}

TEST(HeapFile, a_model_of_a_heap_starts_as_the_heap) {
  const Heap heap = two_bodies();
  const model::Model model = model_of(heap);
  model::validate(model);
  const mechanics::DofMap map(model);
  expect_equal(heap_of(model, mechanics::initial_state(model, map), heap.step), heap);
  EXPECT_DOUBLE_EQ(model.bodies[1].inertia(0, 0), 0.4 * 2 * 0.5 * 0.5);
}

TEST(HeapFileBadInput, says_which_line) {
  const std::string path = temporary_file();
  std::ofstream(path) << "step 0.1\nplane 0 0 0 0 1\n";
  EXPECT_THAT([&] { read_heap(path); }, ThrowsMessage<std::invalid_argument>(HasSubstr(":2: not a line of a heap")));
  std::ofstream(path) << "friction 0.5\n";
  EXPECT_THAT([&] { read_heap(path); }, ThrowsMessage<std::invalid_argument>(HasSubstr("step")));
  std::filesystem::remove(path);
}

TEST(HeapFileBadInput, says_what_cannot_be_in_a_heap) {
  model::Model model = model_of(two_bodies());
  const mechanics::DofMap map(model);
  const mechanics::State state = mechanics::initial_state(model, map);
  model.bodies[1].parts[0].shape = model::CapsuleShape{1, 1};
  EXPECT_THAT([&] { heap_of(model, state, 1); }, ThrowsMessage<std::invalid_argument>(HasSubstr("body-2")));
  model.contacts[1].law.friction = 0.9;
  EXPECT_THAT([&] { heap_of(model, state, 1); }, ThrowsMessage<std::invalid_argument>(HasSubstr("same friction")));
}

}  // namespace
}  // namespace ricochet::bench
