#include "ricochet/io/replay_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace ricochet::io {
namespace {

constexpr std::size_t replay_block_values = 1 << 19;  // numbers read at a time

std::int16_t sixteen_bits(double value) {
  return static_cast<std::int16_t>(std::lround(32767 * std::clamp(std::isfinite(value) ? value : 0.0, -1.0, 1.0)));
}

Vector3 contact_triple(const std::vector<double>& list, std::size_t i) {
  return {list[3 * i], list[3 * i + 1], list[3 * i + 2]};
}

std::vector<double> body_radii(const ResultGeometry& geometry) {
  std::vector<double> radii(geometry.bodies.size(), 0.0);
  const auto reach = [&](int body, double radius) {
    if (body >= 0) radii[body] = std::max(radii[body], radius);
  };
  for (const GeometryPart& part : geometry.parts) {
    double radius = part.size.norm();
    if (part.shape == "capsule") radius = part.size.x() + part.size.y();
    if (part.mesh >= 0) {
      for (const Vector3& vertex : geometry.meshes[part.mesh].vertices) radius = std::max(radius, vertex.norm());
    }
    reach(part.body, part.position.norm() + radius);
  }
  for (const GeometrySpring& spring : geometry.springs) {
    for (const GeometryAnchor& end : {spring.start, spring.end}) reach(end.body, end.point.norm());
  }
  for (const GeometryJoint& joint : geometry.joints) {
    for (const GeometryAnchor& end : {joint.first, joint.second}) reach(end.body, end.point.norm());
  }
  return radii;
}

}  // namespace

std::vector<std::size_t> chosen_rows(std::size_t rows, std::size_t frames) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < frames; ++i) {
    chosen.push_back(frames == 1 ? rows - 1 : (i * (rows - 1) + (frames - 1) / 2) / (frames - 1));
  }
  return chosen;
}

ReplayFrames read_replay_frames(const ResultReader& result, std::size_t bodies, std::size_t driven,
                                std::vector<std::size_t> rows) {
  ReplayFrames frames;
  frames.rows = std::move(rows);
  const std::size_t block = std::max<std::size_t>(1, replay_block_values / std::max<std::size_t>(1, 13 * bodies));
  auto next = frames.rows.begin();
  while (next != frames.rows.end()) {
    const std::size_t begin = *next, end = std::min(begin + block, result.rows());
    const BodyRows body = result.body_rows(bodies, begin, end);
    const DrivenRows surface = result.driven_rows(driven, begin, end);
    for (; next != frames.rows.end() && *next < end; ++next) {
      const std::size_t row = *next - begin;
      const auto position = body.position.begin() + static_cast<std::ptrdiff_t>(3 * bodies * row);
      frames.position.insert(frames.position.end(), position, position + static_cast<std::ptrdiff_t>(3 * bodies));
      for (std::size_t i = 4 * bodies * row; i < 4 * bodies * (row + 1); ++i) {
        frames.quaternion.push_back(sixteen_bits(body.quaternion[i]));
      }
      for (std::size_t i = driven * row; i < driven * (row + 1); ++i) {
        for (std::size_t k = 0; k < 3; ++k) frames.driven.push_back(surface.point[3 * i + k]);
        for (std::size_t k = 0; k < 3; ++k) frames.driven.push_back(surface.normal[3 * i + k]);
      }
    }
  }
  return frames;
}

ReplayBox replay_box(const ResultGeometry& geometry, const ReplayFrames& frames) {
  const std::vector<double> radii = body_radii(geometry);
  const std::size_t bodies = geometry.bodies.size(), places = frames.position.size() / 3;
  const double radius = radii.empty() ? 0.0 : *std::max_element(radii.begin(), radii.end());
  ReplayBox all, most;
  std::array<std::vector<double>, 3> coordinates;
  for (std::size_t i = 0; i < places; ++i) {
    const Vector3 place(frames.position[3 * i], frames.position[3 * i + 1], frames.position[3 * i + 2]);
    if (!place.allFinite()) continue;
    all.add(place, radii[i % bodies]);
    for (int k = 0; k < 3; ++k) coordinates[k].push_back(place[k]);
  }
  for (int k = 0; k < 3 && !all.empty(); ++k) {
    std::vector<double>& list = coordinates[k];
    const auto rank = [&](std::size_t percent) {
      const auto at = list.begin() + static_cast<std::ptrdiff_t>((list.size() - 1) * percent / 100);
      std::nth_element(list.begin(), at, list.end());
      return *at;
    };
    most.low[k] = rank(2) - radius;
    most.high[k] = rank(98) + radius;
  }
  const bool scattered = !all.empty() && (all.high - all.low).norm() > 6 * (most.high - most.low).norm();
  ReplayBox box = scattered ? most : all;
  for (const GeometrySpring& spring : geometry.springs) {
    for (const GeometryAnchor& end : {spring.start, spring.end}) {
      if (end.body < 0) box.add(end.point);
    }
  }
  for (const GeometryJoint& joint : geometry.joints) {
    for (const GeometryAnchor& end : {joint.first, joint.second}) {
      if (end.body < 0) box.add(end.point);
    }
  }
  if (box.empty()) {
    for (const GeometrySurface& surface : geometry.surfaces) box.add(surface.point, 1);
  }
  if (box.empty()) box.add(Vector3::Zero(), 1);
  return box;
}

std::vector<std::vector<ReplayContact>> read_replay_contacts(const ResultReader& result,
                                                             const std::vector<std::size_t>& frame_rows,
                                                             std::size_t most) {
  std::vector<std::vector<ReplayContact>> frames(frame_rows.size());
  std::unordered_map<std::int64_t, std::size_t> places;
  std::size_t frame = 0;
  const std::size_t block = 256;  // rows
  for (std::size_t begin = 0; begin < result.rows() && frame < frames.size(); begin += block) {
    const std::size_t end = std::min(begin + block, result.rows());
    const ContactRows rows = result.contact_rows(begin, end);
    for (std::size_t row = begin; row < end && frame < frames.size(); ++row) {
      for (auto i = static_cast<std::size_t>(rows.row_start[row - begin]);
           i < static_cast<std::size_t>(rows.row_start[row - begin + 1]); ++i) {
        const Vector3 normal = contact_triple(rows.normal, i), tangent = contact_triple(rows.tangent1, i);
        const Vector3 local = contact_triple(rows.impulse, i);
        const Vector3 impulse = local[0] * normal + local[1] * tangent + local[2] * math::cross(normal, tangent);
        if (!impulse.allFinite() || !normal.allFinite()) continue;
        const auto [place, is_new] = places.try_emplace(rows.identity[i], frames[frame].size());
        if (is_new) frames[frame].push_back({Vector3::Zero(), Vector3::Zero(), Vector3::Zero()});
        ReplayContact& contact = frames[frame][place->second];
        contact.point = contact_triple(rows.point, i);
        contact.normal = normal;
        contact.impulse += impulse;
        contact.status = rows.status[i];
        contact.body_a = rows.body_a[i];
        contact.body_b = rows.body_b[i];
        contact.gap = rows.gap[i];
      }
      if (row == frame_rows[frame]) {
        auto& list = frames[frame++];
        if (list.size() > most) {  // no frame will have room for more
          std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(most), list.end(),
                           [](const auto& a, const auto& b) { return a.impulse.norm() > b.impulse.norm(); });
          list.resize(most);
        }
        places.clear();
      }
    }
  }
  return frames;
}

std::size_t contact_limit(const std::vector<std::vector<ReplayContact>>& frames, std::size_t room) {
  const auto total = [&](std::size_t limit) {
    std::size_t sum = 0;
    for (const auto& list : frames) sum += std::min(list.size(), limit);
    return sum;
  };
  std::size_t low = 0, high = 0;
  for (const auto& list : frames) high = std::max(high, list.size());
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (total(middle) <= room) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace ricochet::io
