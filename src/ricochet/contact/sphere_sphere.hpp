// Contact of two spheres with the centres c = x + R a: gap = |c_A - c_B| - (r_A + r_B), normal (c_A - c_B)/|c_A - c_B|.
#pragma once

#include <vector>

#include "ricochet/contact/contact_set.hpp"
#include "ricochet/mechanics/material_point.hpp"

namespace ricochet::contact {

class SphereSpherePairs final : public PairGroup {
 public:
  explicit SphereSpherePairs(const mechanics::DofMap& map, bool planar) : map_(map), planar_(planar) {}

  // Adds every sphere of one body with every sphere of the other; other shapes must not be there.
  void add(int rule, const model::Body& body_a, int participant_a, const model::Body& body_b, int participant_b);

  int size() const override { return static_cast<int>(pairs_.size()); }
  const ContactKey& key(int pair) const override { return pairs_[pair].key; }
  double gap(int pair, const mechanics::State& state) const override;
  Vector3 point(int pair, const mechanics::State& state) const override;
  void detect(const mechanics::State& state, double reach, std::vector<Contact>& contacts) const override;

 private:
  struct Sphere {
    mechanics::MaterialPoint center;
    double radius = 0;
    double offset = 0;  // m, how far the centre is from its node
  };
  struct Pair {
    ContactKey key;
    Sphere a, b;
  };

  const mechanics::DofMap& map_;
  bool planar_;
  std::vector<Pair> pairs_;
};

}  // namespace ricochet::contact
