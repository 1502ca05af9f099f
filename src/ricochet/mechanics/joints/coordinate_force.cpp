#include "ricochet/mechanics/joints/coordinate_force.hpp"

#include <fmt/format.h>

#include <cmath>

#include "ricochet/mechanics/joints/joint_factory.hpp"

namespace ricochet::mechanics {

namespace {

Joint::Rows one_row(double value) {
  Joint::Rows rows(1);
  rows[0] = value;
  return rows;
}

}  // namespace

CoordinateForce::CoordinateForce(const model::Model& model, model::JointCoordinate coordinate,
                                 const math::TimeFunction& target, const DofMap& map, const JointSet& joints)
    : joints_(&joints), coordinate_(coordinate), row_(make_coordinate_row(model, coordinate, target, map)) {}

double CoordinateForce::value(const State& state) const {
  const Joint::Coordinates all = joints_->coordinates_of(coordinate_.joint.index, state);
  return row_.coordinates(state, {all[static_cast<std::size_t>(coordinate_.index)]})[0];
}

void CoordinateForce::add_force(const State& state, double force, VectorX& to) const {
  row_.add_force(state, one_row(force), to);
}

void CoordinateForce::add_tangents(const State& state, double force, double stiffness, double damping,
                                   double damping_factor, double stiffness_factor,
                                   linalg::EffectiveMass& matrix) const {
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Joint::max_columns, 1>;
  Joint::Gradient gradient;
  Joint::Tangent second, all;
  row_.gradient(state, gradient);
  row_.tangent(state, one_row(1), second);
  const Columns g = gradient.row(0).transpose();
  Columns v(row_.columns());
  for (int i = 0; i < row_.nodes(); ++i) {
    v.segment(row_.column(i), row_.v_size(i)) = state.v.segment(row_.v_start(i), row_.v_size(i));
  }
  Columns along(row_.columns());
  along.noalias() = second.transpose() * v;
  all.noalias() = (stiffness_factor * stiffness + damping_factor * damping) * (g * g.transpose());
  all.noalias() += (stiffness_factor * damping) * (g * along.transpose());
  all -= (stiffness_factor * force) * second;
  for (int i = 0; i < row_.nodes(); ++i) {
    for (int j = 0; j < row_.nodes(); ++j) {
      matrix.add(row_.node(i), row_.node(j), all.block(row_.column(i), row_.column(j), row_.v_size(i), row_.v_size(j)));
    }
  }
}

bool CoordinateForce::turns_can_be_counted(const State& state, double h) const {
  return row_.coordinate_unit(0) != JointUnit::angle || std::abs(speed(state)) * h < M_PI;
}

std::runtime_error CoordinateForce::too_fast(std::string_view who, double h) {
  return std::runtime_error(fmt::format(
      "{} turns by half a turn or more in one step of {:.3g} s, so that its turns cannot be counted: take a "
      "smaller step",
      who, h));
}

}  // namespace ricochet::mechanics
