// Contacts of bodies with planes: each body that a rule lets touch a plane, and of those that come near, each feature.
//
// A body whose bounding sphere is above the plane is passed over; so thousands of bodies cost a product each.
#pragma once

#include <vector>

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact.hpp"
#include "ricochet/contact/forms.hpp"
#include "ricochet/contact/pair_rules.hpp"
#include "ricochet/mechanics/surface_motion.hpp"

namespace ricochet::contact {

class PlanePairs {
 public:
  // All but the model must outlive this.
  PlanePairs(const PairRules& rules, const Forms& forms, const mechanics::DofMap& map,
             const mechanics::SurfaceMotion& surfaces, const model::Model& model);

  // Finds the contacts within reach (m), all but for what moves the surface: those of a rule and a body follow each
  // other, rules and bodies in ascending order. In parts, so that what bodies have with each other can come in between:
  // each call appends those that are still to come before a rule and a body, or all of them. The state has to stay
  // until the last of these calls, detect_rest.
  void begin(const mechanics::State& state, double reach);
  void detect_before(int rule, int body, std::vector<Contact>& contacts);
  void detect_rest(std::vector<Contact>& contacts) {
    detect_before(rules_.rules(), 0, contacts);
    state_ = nullptr;
  }

  double gap(const Contact& contact, const mechanics::State& state) const;
  Vector3 point(const Contact& contact, const mechanics::State& state) const;

  // The smallest gap under a rule, of one body or surface if given (-1: of all), or `minimum` if none is smaller.
  double minimum_gap(const mechanics::State& state, int rule, int participant_a, int participant_b,
                     double minimum) const;

 private:
  struct PlaneNow {
    mechanics::PlaneAt plane;
    ContactAxes axes;
    double coordinate = 0;  // m, the largest of its point
  };

  int surface_of(int participant) const { return participant - rules_.bodies(); }
  PlaneNow plane_now(int surface, double time) const;
  void detect_body(int rule, int body, std::vector<Contact>& contacts) const;
  double smallest_gap(int rule, int body, const BodyPlace& place, const mechanics::PlaneAt& plane,
                      double minimum) const;

  const PairRules& rules_;
  const Forms& forms_;
  const mechanics::DofMap& map_;
  const mechanics::SurfaceMotion& surfaces_;
  bool planar_ = false;
  std::vector<model::NodeId> node_of_body_;
  std::vector<double> radius_of_body_;  // m, Form::radius: beside each other, because forms lie anywhere
  std::vector<model::MaterialId> material_of_surface_;
  std::vector<PlaneNow> planes_;  // of each surface, at the state of this detection
  const mechanics::State* state_ = nullptr;
  double reach_ = 0;           // m
  int next_rule_ = 0;          // what comes next: a rule,
  std::size_t next_body_ = 0;  // and a place among its bodies
};

}  // namespace ricochet::contact
