// Which rows of a result are shown as frames of a replay, and what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ricochet/io/result_reader.hpp"

namespace ricochet::io {

struct ReplayBox {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 high = -low;

  void add(const Vector3& point, double radius = 0) {
    if (!point.allFinite()) return;
    low = low.cwiseMin(point - Vector3::Constant(radius));
    high = high.cwiseMax(point + Vector3::Constant(radius));
  }
  bool empty() const { return !(low.array() <= high.array()).all(); }
};

struct ReplayFrames {
  std::vector<std::size_t> rows;
  std::vector<double> position, driven;  // m, [f,b,3] and [f,d,6]
  std::vector<std::int16_t> quaternion;
};

struct ReplayContact {
  Vector3 point = Vector3::Zero(), normal = Vector3::Zero(), impulse = Vector3::Zero();  // m; unit; N s in the world
  std::int64_t status = 0, body_a = 0, body_b = 0;                                       // as in result.h5
  double gap = 0;                                                                        // m
};

// Rows at equal distances, the first and the last among them; a single frame is the last.
std::vector<std::size_t> chosen_rows(std::size_t rows, std::size_t frames);

// `driven` is the number of surfaces that drivers move.
ReplayFrames read_replay_frames(const ResultReader& result, std::size_t bodies, std::size_t driven,
                                std::vector<std::size_t> rows);

// All places of all bodies; but where single ones fly far away, so far that the rest would be hardly seen, the middle
// 96 of 100 places.
ReplayBox replay_box(const ResultGeometry& geometry, const ReplayFrames& frames);

// Of each frame the contacts of the rows since the frame before it, joined by their identities: their impulses are
// summed, the rest is of the last row in which they appear. At most `most` per frame, those with the largest impulses.
std::vector<std::vector<ReplayContact>> read_replay_contacts(const ResultReader& result,
                                                             const std::vector<std::size_t>& frame_rows,
                                                             std::size_t most);

// The largest number of contacts per frame with which all frames together have at most `room`.
std::size_t contact_limit(const std::vector<std::vector<ReplayContact>>& frames, std::size_t room);

}  // namespace ricochet::io
