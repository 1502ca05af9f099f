// What the residual of cone/residual weighs and divides by, contact for contact: computed once per problem, because it
// depends on W and b but not on the impulses.
//
//   rho_i = n / trace(W_nn)       kg, the mass that contact i feels: the inverse of the mean eigenvalue of the diagonal
//                                 block of its n components of force (normal and sliding, n = 1, 2 or 3)
//   V_i   = max |b_j| over the contacts j of the island of i         m/s, the fastest that its impulses deal with
//
// Islands (cone/islands) do not feel each other, so neither do their scales: a ball that rests beside one that is shot
// is held to its own velocities, and two independent problems in one file have the residuals that they have alone.
// A contact whose block is zero (nothing there can move) has no mass of its own and takes the rho of its island, sum of
// sizes / sum of traces (1 kg if nothing of the island can move: its residual does not depend on rho then).
//
// Moments and angular velocities become forces and velocities through an arm, in m:
//
//   rolling    l_R = sqrt( 1 / (rho_i mean(W_RR)) )          a radius of gyration: the arm at which rolling feels the
//   spinning   l_S = sqrt( 1 / (rho_i W_SS) )                same mass as sliding
//
// With m_R / l_R for m_R, l_R omega_R for omega_R and mu_R / l_R for mu_R the law is the same, and so is its unit: that
// is how the norms in the residual and in V_i add them up. Where nothing can roll or spin, the arm of the island is
// taken, from sums over its contacts as for rho (1 m if there is none).
//
// The rows of a bilateral block may have any unit, and the residual does not depend on it: row k has the mass of its
// island, rho = sum of sizes / sum of traces over its contacts (that of the first bilateral row if no contact can
// move), and the arm sqrt( 1 / (rho W_kk) ), whatever its unit (1 if W_kk is zero).
#pragma once

#include <span>
#include <vector>

#include "ricochet/cone/islands.hpp"

namespace ricochet::cone {

class ResidualScales {
 public:
  // Both do not allocate once they have seen a problem of the same size. The problem must be valid.
  void prepare(const ContactProblem& problem);
  // For problems without W: `diagonal` holds the blocks W_ii (and perhaps others); islands() has been found already.
  void prepare(const linalg::BlockSparseMatrix& diagonal, std::span<const Friction> friction,
               std::span<const char> bilateral, const linalg::VectorView& free_velocity);

  // The same problem, of which b of some islands has become another: their V_i.
  void find_speeds(int island, const linalg::VectorView& free_velocity);

  Islands& islands() { return islands_; }
  const Islands& islands() const { return islands_; }
  int contacts() const { return static_cast<int>(contacts_.size()); }
  double mass(int contact) const { return contacts_[contact].mass; }    // rho_i
  double speed(int contact) const { return contacts_[contact].speed; }  // V_i
  double impulse(int contact) const { return mass(contact) * speed(contact); }
  const BlockLaw& law(int contact) const { return contacts_[contact].law; }  // coefficients divided by arms
  // W_ii, row after row, in the matrix that has been prepared.
  const double* diagonal_block(const linalg::BlockSparseMatrix& matrix, int contact) const {
    return matrix.values().data() + contacts_[contact].block_start;
  }
  bool has_arms(int contact) const { return law(contact).size > 3 || law(contact).bilateral; }
  const double* arms(int contact) const { return arms_.data() + contacts_[contact].offset; }  // if has_arms

 private:
  struct Contact {
    BlockLaw law;
    int offset = 0;           // of its components
    int block_start = 0;      // of W_ii among the values
    double linear_trace = 0;  // of W_ii; 0 for bilateral ones
    double mass = 0;
    double speed = 0;
  };
  // Of an island: numbers of components and their sums of diagonal entries.
  struct Sums {
    double linear_size = 0, linear_trace = 0;
    double angular_size = 0, angular_trace = 0;
    double first_bilateral = 0;  // the first W_kk > 0
    double largest_square = 0;   // of the free velocities

    void add(const BlockLaw& law, const double* block, double linear_part);
    double mean_response() const;  // 1 / rho
    double mean_arm() const;
  };

  void set_arms(const double* block, const Sums& sums, Contact& contact);
  double speed_squared(int contact, const linalg::VectorView& free_velocity) const;

  Islands islands_;
  std::vector<Sums> sums_;
  std::vector<Contact> contacts_;
  std::vector<double> arms_;  // of each component
};

}  // namespace ricochet::cone
