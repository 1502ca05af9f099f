// Contact of two spheres: gap = |x_A - x_B| - (r_A + r_B), normal (x_A - x_B) / |x_A - x_B|.
#pragma once

#include <vector>

#include "ricochet/contact/contact_set.hpp"

namespace ricochet::contact {

class SphereSpherePairs final : public PairGroup {
 public:
  explicit SphereSpherePairs(const mechanics::DofMap& map, bool planar) : map_(map), planar_(planar) {}

  void add(int rule, const model::Body& body_a, int participant_a, const model::Body& body_b, int participant_b);

  int size() const override { return static_cast<int>(pairs_.size()); }
  const ContactKey& key(int pair) const override { return pairs_[pair].key; }
  double gap(int pair, const mechanics::State& state) const override;
  Vector3 point(int pair, const mechanics::State& state) const override;
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const override;

 private:
  struct Pair {
    ContactKey key;
    model::NodeId node_a, node_b;
    double radius_a = 0, radius_b = 0;
  };

  const mechanics::DofMap& map_;
  bool planar_;
  std::vector<Pair> pairs_;
};

}  // namespace ricochet::contact
