#include "ricochet/cone/body_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ricochet/cone/residual.hpp"

namespace ricochet::cone {

namespace {

constexpr int kComponents = 6;
constexpr double kSlipParts[] = {0.85, 0.6, 0.3};  // phi, one attempt each
constexpr int kMostSteps = 80;                     // of an attempt
constexpr int kStepsToHalve = 10;                  // the residual, for the way of one phi to be gone on with
constexpr double kShift = 1e-9;                    // of W
constexpr double kSlipEdge = 1e-4;  // |u_T| has a round tip of this times the root of z_0 V: it vanishes where z does
constexpr int kCheapProductsOfAContact = 30;  // of blocks, in a factorisation; the rest of a step costs about as many
constexpr std::int64_t kBearableProducts = 5'000'000;
constexpr double kPartToBoundary = 0.95;
constexpr double kSmallestTarget = 1e-6;  // of tau
constexpr double kShortestStep = 1e-8;
constexpr double kSmallestStepPivot = 1e-10;  // of 1 + ...; u is always computed afresh: a few digits of a step will do

// B = R R^T for a matrix that is positive semidefinite up to round-off.
Matrix6 root_of(const Matrix6& matrix) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  Matrix6 root = Matrix6::Zero();
  for (int j = 0; j < kComponents; ++j) {
    const double pivot = matrix(j, j) - root.row(j).head(j).squaredNorm();
    if (!(pivot > rounding * matrix(j, j))) continue;
    root(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < kComponents; ++i) {
      root(i, j) = (matrix(i, j) - root.row(i).head(j).dot(root.row(j).head(j))) / root(j, j);
    }
  }
  return root;
}

bool is_symmetric(const Matrix6& matrix) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  for (int i = 0; i < kComponents; ++i) {
    for (int j = 0; j < i; ++j) {
      const double size = std::sqrt(std::abs(matrix(i, i) * matrix(j, j)));
      if (std::abs(matrix(i, j) - matrix(j, i)) > rounding * size) return false;
    }
  }
  return true;
}

// X with X R^T = B; zero in the columns where R is. For a symmetric B it is R itself.
Matrix6 divide_by_transpose(const Matrix6& matrix, const Matrix6& root) {
  Matrix6 result = Matrix6::Zero();
  for (int j = 0; j < kComponents; ++j) {
    if (root(j, j) == 0) continue;
    result.col(j) = matrix.col(j);
    for (int k = 0; k < j; ++k) result.col(j) -= root(j, k) * result.col(k);
    result.col(j) /= root(j, j);
  }
  return result;
}

// H v of a contact, from H^T.
inline Vector3 product(const Eigen::Matrix<double, 6, 3>& columns, const Vector6& velocity) {
  return {columns.col(0).dot(velocity), columns.col(1).dot(velocity), columns.col(2).dot(velocity)};
}

}  // namespace

// --- Preparation -----------------------------------------------------------------------------------------------------

bool BodyPath::prepare(const ContactProblem& problem, const ResidualScales& scales, std::span<const int> contacts,
                       const linalg::VectorView& free_velocity, PathCost cost) {
  held_.clear();
  proximity_ = 0;
  if (!given_.prepare(problem, contacts) || !find_pattern(cost)) return false;
  // Powers of two: units of velocity and mass change no bit.
  int exponent = 0;
  std::frexp(scales.speed(contacts.front()), &exponent);
  velocity_unit_ = std::ldexp(1.0, exponent);
  std::frexp(scales.mass(contacts.front()), &exponent);
  mass_unit_ = std::ldexp(1.0, exponent);
  symmetric_ = true;
  roots_.clear();
  other_roots_.clear();
  for (const BodyContacts::Body& body : given_.bodies()) {
    const Matrix6 inverse = mass_unit_ * body.inverse;
    const Matrix6& root = roots_.emplace_back(root_of(0.5 * (inverse + inverse.transpose())));
    symmetric_ = symmetric_ && is_symmetric(inverse);
    other_roots_.push_back(divide_by_transpose(inverse, root));
  }
  contacts_.clear();
  other_factors_.clear();
  for (const BodyContacts::Contact& given : given_.contacts()) {
    Contact& contact = contacts_.emplace_back();
    contact.contact = given.contact;
    contact.offset = given.offset;
    contact.slides = given.size > 1 && given.friction > 0;
    contact.size = contact.slides ? given.size : 1;
    contact.friction = contact.slides ? given.friction : 1;
    contact.response = mass_unit_ / scales.mass(given.contact);
    contact.free_velocity.setZero();
    for (int k = 0; k < contact.size; ++k) {
      contact.free_velocity[k] = free_velocity[given.offset + k] / (velocity_unit_ * (k == 0 ? contact.friction : 1.0));
    }
    std::array<Columns, 2> other;
    for (int k = 0; k < 2; ++k) {
      contact.bodies[k] = given.bodies[k];
      if (given.bodies[k] < 0) continue;
      Columns columns = Columns::Zero();  // (P^-1 H)^T
      columns.leftCols(contact.size) = given.gradients[k].topRows(contact.size).transpose();
      columns.col(0) /= contact.friction;
      contact.factors[k].noalias() = roots_[given.bodies[k]].transpose() * columns;
      if (!symmetric_) other[k].noalias() = other_roots_[given.bodies[k]].transpose() * columns;
    }
    if (!symmetric_) other_factors_.push_back(other);
  }
  points_.resize(contacts_.size());
  frames_.resize(contacts_.size());
  velocity_.resize(contacts_.size());
  momenta_.resize(roots_.size());
  right_.resize(static_cast<Eigen::Index>(roots_.size()) * kComponents);
  return true;
}

// --- The system of one step ------------------------------------------------------------------------------------------

// What impulses x do to the contacts: P^-1 W P^-1 x = G' G^T x.
template <class ImpulseOf, class Take>
void BodyPath::respond(ImpulseOf&& impulse_of, Take&& take) {
  for (Vector6& momentum : momenta_) momentum.setZero();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    for (int k = 0; k < 2 && contact.bodies[k] >= 0; ++k) {
      momenta_[contact.bodies[k]].noalias() += contact.factors[k].lazyProduct(impulse_of(i));
    }
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    Vector3 velocity = Vector3::Zero();
    for (int k = 0; k < 2 && contact.bodies[k] >= 0; ++k) {
      velocity += product(other_factor(i, k), momenta_[contact.bodies[k]]);
    }
    take(i, velocity);
  }
}

// 1 + G^T Theta^-1 S G'.
bool BodyPath::factorise() {
  matrix_.set_identity();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    Matrix3 middle = frames_[i].inverse;  // Theta^-1 S, transposed
    middle.bottomRows<2>().noalias() += frames_[i].slip * frames_[i].inverse.row(0);
    for (int column = 0; column < 2 && contact.bodies[column] >= 0; ++column) {
      const Columns right = other_factor(i, column).lazyProduct(middle);
      for (int row = 0; row < 2 && contact.bodies[row] >= 0; ++row) {
        matrix_.add(places_[4 * i + 2 * row + column], contact.factors[row].lazyProduct(right.transpose()));
      }
    }
  }
  return matrix_.factorise(kSmallestStepPivot);
}

// Bodies that touch are coupled.
bool BodyPath::find_pattern(PathCost cost) {
  const std::vector<BodyContacts::Contact>& contacts = given_.contacts();
  couplings_.clear();
  for (const BodyContacts::Contact& contact : contacts) {
    if (contact.bodies[0] >= 0 && contact.bodies[1] >= 0) couplings_.push_back({contact.bodies[0], contact.bodies[1]});
  }
  std::int64_t most_products = std::numeric_limits<std::int64_t>::max();
  if (cost == PathCost::cheap) most_products = kCheapProductsOfAContact * static_cast<std::int64_t>(contacts.size());
  if (cost == PathCost::bearable) most_products = kBearableProducts;
  if (!matrix_.set_pattern(static_cast<int>(given_.bodies().size()), couplings_, most_products)) return false;
  places_.assign(4 * contacts.size(), {});
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int* own = contacts[i].bodies;
    for (int row = 0; row < 2 && own[row] >= 0; ++row) {
      for (int column = 0; column < 2 && own[column] >= 0; ++column) {
        places_[4 * i + 2 * row + column] = matrix_.place(own[row], own[column]);
      }
    }
  }
  return true;
}

// From the right sides of the frames: the steps of x.
void BodyPath::solve_step() {
  right_.setZero();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    frames_[i].step_x = frames_[i].inverse * frames_[i].right;
    for (int k = 0; k < 2 && contact.bodies[k] >= 0; ++k) {
      right_.segment<kComponents>(kComponents * contact.bodies[k]).noalias() +=
          contact.factors[k].lazyProduct(frames_[i].step_x);
    }
  }
  matrix_.solve(right_.data());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    Frame& frame = frames_[i];
    frame.moved.setZero();
    for (int k = 0; k < 2 && contact.bodies[k] >= 0; ++k) {
      frame.moved += product(other_factor(i, k), Vector6(right_.segment<kComponents>(kComponents * contact.bodies[k])));
    }
    frame.moved = frame.couple(frame.moved);
    frame.step_x.noalias() -= frame.inverse * frame.moved;
  }
}

// The steps of z that follow from those of x: as well as the factorisation is, since y = G^T dx,
void BodyPath::predict_velocities() {
  for (Frame& frame : frames_) frame.step_z = frame.moved + frame.error;
  add_proximal_steps();
}

// and to the last digit.
void BodyPath::respond_to_step() {
  respond([&](std::size_t i) -> const Vector3& { return frames_[i].step_x; },
          [&](std::size_t i, const Vector3& velocity) {
            frames_[i].step_z = frames_[i].couple(velocity) + frames_[i].error;
          });
  add_proximal_steps();
}

void BodyPath::add_proximal_steps() {
  if (proximity_ == 0) return;
  for (std::size_t i = 0; i < contacts_.size(); ++i) frames_[i].step_z += shift(contacts_[i]) * frames_[i].step_x;
}

// P^-1 u of the points.
void BodyPath::find_velocities() {
  respond([&](std::size_t i) -> const Vector3& { return points_[i].x; },
          [&](std::size_t i, const Vector3& velocity) { velocity_[i] = contacts_[i].free_velocity + velocity; });
}

// --- The path --------------------------------------------------------------------------------------------------------

// Every contact carries an impulse and opens with a velocity of the size of b.
void BodyPath::start(const ResidualScales& scales) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const double speed = scales.speed(contact.contact) / velocity_unit_;
    points_[i].x = {contact.friction * speed / contact.response, 0, 0};
    points_[i].z = {speed / contact.friction, 0, 0};
  }
}

double BodyPath::shift(const Contact& contact) const { return std::max(proximity_, kShift) * contact.response; }

// The frames of all contacts, from u as it is now. Returns the mean of x.z.
double BodyPath::frame_contacts(const ResidualScales& scales, double phi) {
  double product = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const Point& point = points_[i];
    Frame& frame = frames_[i];
    Vector3 wanted = velocity_[i];
    frame.slip.setZero();
    if (contact.slides && !held_.empty()) {
      const HeldSlip& held = held_[i];
      frame.slip = held.gradient;
      wanted[0] += held.speed + held.gradient.dot(wanted.tail<2>() - held.slip);
    } else if (contact.slides) {
      const double speed = scales.speed(contact.contact) / velocity_unit_;
      const Eigen::Vector2d slip = wanted.tail<2>();
      const double length = std::sqrt(slip.squaredNorm() + kSlipEdge * kSlipEdge * point.z[0] * speed);
      wanted[0] += length;
      frame.slip = phi / length * slip;
    }
    if (proximity_ > 0) wanted += shift(contact) * (point.x - proximal_[i]);
    frame.error = wanted - point.z;
    frame.scaling = LorentzScaling(point.x, point.z);
    frame.inverse = frame.scaling.inverse_square(shift(contact));
    frame.scaled = frame.scaling.apply(point.x);
    product += point.x.dot(point.z);
  }
  return product / static_cast<double>(contacts_.size());
}

// The largest step, at most 1, after which everything is still inside.
double BodyPath::step_length(double part) const {
  double length = 1;
  const auto shorten = [&](const Vector3& point, const Vector3& step) {
    if (is_inside_lorentz(point + length / part * step)) return;  // nearly all
    length = std::min(length, part * lorentz_step(point, step));
  };
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    shorten(points_[i].x, frames_[i].step_x);
    shorten(points_[i].z, frames_[i].step_z);
  }
  return length;
}

// The residual of the point. The best one is kept.
double BodyPath::look(const ResidualScales& scales) {
  double worst = 0;
  int worst_contact = contacts_.front().contact;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    double impulse[3] = {}, velocity[3] = {};
    write_impulse(contact, points_[i].x, impulse);
    for (int k = 0; k < contact.size; ++k) {
      velocity[k] = velocity_unit_ * velocity_[i][k] * (k == 0 ? contact.friction : 1.0);
    }
    const double error = contact_residual(scales, contact.contact, impulse, velocity);
    if (std::isnan(error)) return error;
    if (error <= worst) continue;
    worst = error;
    worst_contact = contact.contact;
  }
  if (worst < best_residual_) {
    best_residual_ = worst;
    best_contact_ = worst_contact;
    best_ = points_;
  }
  return worst;
}

// r = P^-1 x, in N s.
void BodyPath::write_impulse(const Contact& contact, const Vector3& x, double* impulse) const {
  const double unit = mass_unit_ * velocity_unit_;
  for (int k = 0; k < contact.size; ++k) impulse[k] = unit * x[k] / (k == 0 ? contact.friction : 1.0);
}

// The x of given impulses.
Vector3 BodyPath::read_impulse(const Contact& contact, const linalg::ReusableVector& impulses) const {
  const double unit = mass_unit_ * velocity_unit_;
  Vector3 x = Vector3::Zero();
  for (int k = 0; k < contact.size; ++k) {
    x[k] = impulses[contact.offset + k] / unit * (k == 0 ? contact.friction : 1.0);
  }
  return x;
}

// Nothing has been found yet.
void BodyPath::begin() {
  steps_ = 0;
  best_residual_ = std::numeric_limits<double>::infinity();
  best_contact_ = -1;
}

bool BodyPath::follow(const ResidualScales& scales, const SolveOptions& options, PathEffort effort) {
  double mark = std::numeric_limits<double>::infinity();  // the residual that has to be halved
  int marked_step = steps_;
  const int last_step = std::min(options.max_iterations, steps_ + kMostSteps);
  while (true) {
    find_velocities();
    const double found = look(scales);
    if (found <= options.tolerance) return true;
    if (steps_ >= last_step || !std::isfinite(found)) return false;
    if (found <= 0.5 * mark) {
      mark = found;
      marked_step = steps_;
    } else if (effort == PathEffort::one_way && steps_ >= marked_step + kStepsToHalve) {
      return false;
    }
    ++steps_;
    const double tau = frame_contacts(scales, phi_);
    if (!factorise()) return false;
    if (!step_along(tau, 0)) return false;
  }
}

// One step of all points, from the frames and the factorised matrix, towards a tau that is not below the least. False
// if it would be next to nothing.
bool BodyPath::step_along(double tau, double least_target) {
  // As far as it goes towards tau = 0, which tells how much of tau can be had.
  for (std::size_t i = 0; i < contacts_.size(); ++i) frames_[i].right = -points_[i].z - frames_[i].error;
  solve_step();
  predict_velocities();
  const double length = step_length(1);
  double product = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    product += (points_[i].x + length * frames_[i].step_x).dot(points_[i].z + length * frames_[i].step_z);
  }
  const double ratio = std::max(product / (tau * static_cast<double>(contacts_.size())), 0.0);
  const double target = std::max(std::clamp(ratio * ratio * ratio, kSmallestTarget, 1.0) * tau, least_target);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Frame& frame = frames_[i];
    const Vector3 second_order = lorentz_product(frame.scaling.apply(frame.step_x), frame.scaling.undo(frame.step_z));
    const Vector3 correction = lorentz_quotient(frame.scaled, Vector3(target, 0, 0) - second_order) - frame.scaled;
    frame.right = frame.scaling.apply(correction) - frame.error;
  }
  solve_step();
  respond_to_step();
  const double corrected = step_length(kPartToBoundary);
  if (!(corrected > kShortestStep)) return false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    points_[i].x += corrected * frames_[i].step_x;
    points_[i].z += corrected * frames_[i].step_z;
  }
  return true;
}

SolveReport BodyPath::solve(const ResidualScales& scales, linalg::ReusableVector& impulses, const SolveOptions& options,
                            PathEffort effort) {
  begin();
  for (const double phi : kSlipParts) {
    if (steps_ >= options.max_iterations) break;
    phi_ = phi;
    start(scales);
    if (follow(scales, options, effort) || effort == PathEffort::one_way) break;
  }
  return report(impulses, options);
}

SolveReport BodyPath::go_on(const ResidualScales& scales, linalg::ReusableVector& impulses,
                            const SolveOptions& options) {
  steps_ = 0;
  follow(scales, options, PathEffort::one_way);
  return report(impulses, options);
}

// Writes the best point.
SolveReport BodyPath::report(linalg::ReusableVector& impulses, const SolveOptions& options) const {
  SolveReport report{SolveStatus::iteration_limit, steps_, best_residual_, best_contact_};
  if (best_residual_ == std::numeric_limits<double>::infinity()) return report;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    double* impulse = impulses.data() + contacts_[i].offset;
    std::fill(impulse, impulse + given_.contacts()[i].size, 0.0);
    write_impulse(contacts_[i], best_[i].x, impulse);
  }
  if (best_residual_ <= options.tolerance) report.status = SolveStatus::converged;
  return report;
}

}  // namespace ricochet::cone
