#include "ricochet/mechanics/state.hpp"

namespace ricochet::mechanics {

DofMap::DofMap(const model::Model& model) {
  for (const model::Node& node : model.nodes) {
    const bool frame = node.kind == model::NodeKind::frame, generalised = node.kind == model::NodeKind::generalised;
    kind_.push_back(node.kind);
    q_start_.push_back(q_total_);
    v_start_.push_back(v_total_);
    v_sizes_.push_back(generalised ? static_cast<int>(node.coordinates.size()) : (frame ? 6 : 3));
    q_total_ += frame ? 7 : v_sizes_.back();
    v_total_ += v_sizes_.back();
    if (generalised) {
      free_.resize(v_total_, 1);
      driven_.resize(v_total_, 0);
      continue;
    }
    // A planar machine moves in x and y and turns about z.
    for (int i = 0; i < v_sizes_.back(); ++i) {
      const bool out_of_plane = model.planar && (i == 2 || i == 3 || i == 4);
      free_.push_back(static_cast<char>(!node.fixed[i] && !out_of_plane));
      driven_.push_back(0);
    }
  }
  for (const model::Driver& driver : model.drivers) {
    if (!driver.node.valid()) continue;
    const int start = v_start_[driver.node.index];
    for (int i = 0; i < v_sizes_[driver.node.index]; ++i) {
      if (!model::drives(driver, i) || free_[start + i] == 0) continue;
      free_[start + i] = 0;
      driven_[start + i] = 1;
    }
  }
}

State initial_state(const model::Model& model, const DofMap& map) {
  State state;
  state.q = VectorX::Zero(map.q_total());
  state.v = VectorX::Zero(map.v_total());
  state.a = VectorX::Zero(map.v_total());
  state.angles = VectorX::Zero(static_cast<Eigen::Index>(model.torsion_springs.size()));
  for (int i = 0; i < map.nodes(); ++i) {
    const model::Node& node = model.nodes[i];
    if (map.is_generalised(i)) {
      state.q.segment(map.q_start(i), map.q_size(i)) = node.coordinates;
      state.v.segment(map.v_start(i), map.v_size(i)) = node.rates;
      continue;
    }
    state.q.segment<3>(map.q_start(i)) = node.position;
    state.v.segment<3>(map.v_start(i)) = node.velocity;
    if (map.is_frame(i)) {
      const math::Quaternion rotation = node.orientation.normalized();
      state.q.segment<4>(map.q_start(i) + 3) << rotation.w, rotation.x, rotation.y, rotation.z;
      state.v.segment<3>(map.v_start(i) + 3) = node.angular_velocity;
    }
  }
  for (int i = 0; i < map.v_total(); ++i) {
    if (!map.is_free(i)) state.v[i] = 0;
  }
  return state;
}

void advance(const DofMap& map, const VectorX& q_begin, const VectorX& v, double h, VectorX& q_end) {
  q_end.resize(q_begin.size());
  for (int node = 0; node < map.nodes(); ++node) {
    const int q = map.q_start(node);
    const int start = map.v_start(node);
    if (map.is_generalised(node)) {
      const int size = map.v_size(node);
      q_end.segment(q, size) = q_begin.segment(q, size) + h * v.segment(start, size);
      continue;
    }
    q_end.segment<3>(q) = q_begin.segment<3>(q) + h * v.segment<3>(start);
    if (!map.is_frame(node)) continue;
    const math::Quaternion turned =
        math::advance({q_begin[q + 3], q_begin[q + 4], q_begin[q + 5], q_begin[q + 6]}, h * v.segment<3>(start + 3));
    q_end.segment<4>(q + 3) << turned.w, turned.x, turned.y, turned.z;
  }
}

}  // namespace ricochet::mechanics
