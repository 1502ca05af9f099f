// The unit of work in which every benchmark of Ricochet is expressed.
//
// Seconds say as much about the machine as about the program. Each benchmark therefore also measures, in the same run
// and interleaved with its own work, what one contact costs in a fixed kernel, and reports its time as a multiple of
// that. The kernel is the heart of every contact code: one projected Gauss-Seidel sweep over frictional point contacts
// in matrix-free (body velocity) form, in plain scalar double precision. It uses nothing else of Ricochet, so that it
// stays the same while everything around it changes: do not tune it.
//
//   const double unit = bench::calibration_seconds_per_contact();        // just before, after, or between batches
//   state.counters["calibrations"] = seconds_per_contact_of_my_solver / unit;
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace ricochet::bench {

/// A synthetic heap: 9,450 contacts between random pairs of 3,000 bodies, the same on every machine.
class CalibrationKernel {
 public:
  static constexpr std::size_t body_count = 3000;
  static constexpr std::size_t contact_count = 9450;

  CalibrationKernel();

  /// Back to the first velocities and zero impulses, so that each batch of sweeps does the same work.
  void reset();

  /// One Gauss-Seidel sweep over all contacts.
  void sweep();

  /// Sum of the normal impulses (N·s): something to look at, so that no compiler removes the sweeps.
  [[nodiscard]] double total_normal_impulse() const;

 private:
  using Vector = std::array<double, 3>;

  struct Body {
    Vector velocity;          // m/s
    Vector angular_velocity;  // rad/s
    double inverse_mass;      // 1/kg
    double inverse_inertia;   // 1/(kg·m²), of a sphere
  };

  /// One row of H for a contact: u_k = d·(v_a - v_b) + arm_a·ω_a - arm_b·ω_b, with arm = lever × d.
  struct Row {
    Vector direction;
    Vector arm_a;
    Vector arm_b;
    double inverse_delassus;  // 1/W_kk
  };

  struct Contact {
    std::size_t a;
    std::size_t b;
    std::array<Row, 3> rows;  // normal, two tangents
    Vector impulse;           // N·s
    double friction;
  };

  static double relative_velocity(const Row& row, const Body& a, const Body& b);
  static void apply(const Row& row, double impulse, Body& a, Body& b);

  std::vector<Body> bodies_;
  std::vector<Body> first_bodies_;
  std::vector<Contact> contacts_;
};

/// Seconds per contact of one sweep, now, on this machine: the median of a few batches, about 20 ms in all.
double calibration_seconds_per_contact();

}  // namespace ricochet::bench
