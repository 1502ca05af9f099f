// How contacts move over a step: what schemes need that keep contact laws at the position level as well.
//
// A contact found at one state is followed to others. Its place on the bodies is told by centres c = x + R a (with a
// radius where a side is round), so gap and slip are functions of the coordinates alone. The slip is what the
// material points that touch have moved past each other since the beginning of the step, seen from the body that
// carries the normal (Galvez et al., eqs 28-33), with finite rolling where a side is round (Sánchez 2025, eqs A.43-A.46
// and B.30-B.37, in the signs of this house):
//
//   carried by B    d = R_B^T (c_A - x_B):   gap = N.(d - a_B) - r,     slip = T.(d - d_begin) - r_A T.(Phi x N),
//                   Phi the rotation vector of A seen from B, in the axes of B
//
//   carried by A    the same from the other side
//
//   plane           the same with B = the world; Simpson's rule takes off what the surface itself moves (a driver)
//
//   two balls       gap = |c_A - c_B| - r,   slip = T.(dc_A - dc_B - (r_A Psi_A + r_B Psi_B) x n),
//                   Psi the rotation vectors in the world
//
//   round carrier   gap and n from the distance to its core (carried_core.hpp), slip as for a face with the N and T at
//                   which the contact was found, fixed in the carrier
//
//   rim on a plane  its lowest point where that touches alone, wherever it is then (rim_plane.hpp). Of a rim of which
//                   several points touch these are fixed in the body as they are found, as corners are, for as long
//                   as the contacts are followed (rim_legs.hpp)
//
// Tangents of two balls, and of a ball at a round carrier, are those of the place where they were found (B.37). So the
// slip of a ball that rolls along a curve is the chord of its centre less the arc that it rolled: with the radius rho
// of the curve of the centre and its angle alpha over the step, rho (sin alpha - alpha) = -rho alpha^3/6 where the
// contact was found at one end. On flat faces and along straight lines nothing is missing. Rows are the gradients of
// gap and slip for body rotation increments R exp(psi~): those of the relative velocity, H, but for the tangent of the
// rotation vector where something rolls. Of that tangent the curvature has what is left at small increments: its error
// is the increment times r_T r.
#pragma once

#include <array>
#include <vector>

#include "ricochet/contact/body_place.hpp"
#include "ricochet/contact/contact_set.hpp"
#include "ricochet/linalg/effective_mass.hpp"

namespace ricochet::contact {

class ContactMotion {
 public:
  // `set` must outlive this, and so must `begin`: the state from which slip counts.
  ContactMotion(const ContactSet& set, const mechanics::State& begin) : set_(set), begin_(begin) {}

  // To be called once for contacts as they were found at a state: keeps their tangents in what carries their normals,
  // and fixes the legs of rims that stand flat in their bodies, which changes their `kind` (rim_legs.hpp).
  void carry(const mechanics::State& found_at, std::vector<Contact>& contacts) const;

  // Adds contacts that were found at another state, to which `contacts` have been moved. Those that were known take the
  // place of what they were, but for legs. `found` is left with its tangents carried.
  void add(const mechanics::State& found_at, std::vector<Contact>& found, std::vector<Contact>& contacts) const;

  // The contact at another state: gap, axes, arms, point and velocity of its surface.
  void move(const mechanics::State& state, Contact& contact) const;

  // Of a contact that has been moved to `now`: what A slipped on B since the beginning, along t1 and t2 (m).
  Eigen::Vector2d slip(const Contact& contact, const mechanics::State& now) const;

  // How far A has turned relative to B since the beginning, about n, t1 and t2 (rad).
  Vector3 turn(const Contact& contact, const mechanics::State& now) const;

  // Gradients of gap, slip and turn of contacts that have been moved to `now`: as many rows as ContactSet::gradients.
  void gradients(const mechanics::State& now, const std::vector<Contact>& contacts,
                 linalg::BlockSparseMatrix& rows) const;

  // matrix += factor d(rows^T r)/dq with r (the block of each contact). That of moments is left out: next to the
  // inertia it is as small as the square of a step.
  void add_curvature(const mechanics::State& now, const std::vector<Contact>& contacts,
                     const linalg::VectorView& multipliers, double factor, linalg::EffectiveMass& matrix) const;

  // True if the curvature of a contact couples two nodes.
  static bool couples(const Contact& contact) { return contact.node_a.valid() && contact.node_b.valid(); }

 private:
  void carry_tangents(const mechanics::State& found_at, std::vector<Contact>& contacts) const;
  BodyPlace place(model::NodeId node, const mechanics::State& state) const;
  std::array<Vector3, 2> slip_axes(const Contact& contact, const mechanics::State& now) const;
  void set_slip_rows(const Contact& contact, int row, const mechanics::State& now,
                     linalg::BlockSparseMatrix& rows) const;
  void add_core_curvature(const Contact& contact, const mechanics::State& now, double factor,
                          linalg::EffectiveMass& matrix) const;
  void set_turn_rows(const Contact& contact, int row, const mechanics::State& now,
                     linalg::BlockSparseMatrix& rows) const;
  void correct_rolling(const Contact& contact, int row, const mechanics::State& now,
                       linalg::BlockSparseMatrix& rows) const;

  const ContactSet& set_;
  const mechanics::State& begin_;
};

}  // namespace ricochet::contact
