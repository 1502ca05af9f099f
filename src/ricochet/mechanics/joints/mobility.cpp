#include "ricochet/mechanics/joints/mobility.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ricochet/linalg/row_rank.hpp"
#include "ricochet/math/random.hpp"
#include "ricochet/model/machine_size.hpp"

namespace ricochet::mechanics {

namespace {

// How far the machine is moved to see it in general position: rad, or parts of its size. Singular values that vanish in
// a singular position are of this size there, those of redundant joints stay at rounding.
constexpr double kExcursion = 0.01;
constexpr int kMostClosingSteps = 12;

class MobilityAnalysis {
 public:
  MobilityAnalysis(const model::Model& model, const Equations& equations)
      : model_(model), equations_(equations), state_(equations.initial_state()) {}

  Mobility run() {
    const JointSet& joints = equations_.joints();
    const std::vector<char>& free = equations_.map().free_components();
    Mobility result;
    result.components = static_cast<int>(std::count_if(free.begin(), free.end(), [](char c) { return c != 0; }));
    result.rows = joints.rows();
    result.counted = result.rows <= linalg::most_sparse_rows;
    if (result.rows == 0 || !result.counted) return result;
    matrix_ = equations_.make_effective_mass();
    close();
    const linalg::RowRank start = rank_here();
    linalg::RowRank general = start;
    const bool may_be_singular = start.rank < result.rows && start.rank < result.components;
    if (may_be_singular && move()) general = rank_here();
    result.rank = start.rank;
    result.general_rank = std::max(general.rank, start.rank);
    if (general.rank < start.rank) general = start;
    add_dependent(general.dependent, result);
    if (const VectorX& values = start.singular_values; values.size() > 0 && result.general_rank > 0) {
      result.conditioning = values[0] / values[result.general_rank - 1];
    }
    return result;
  }

 private:
  linalg::RowRank rank_here() {
    equations_.joints().gradients(state_, rows_);
    return linalg::row_rank(rows_, equations_.map().free_components(), equations_.mass_diagonal());
  }

  void assemble_here() {
    equations_.joints().gradients(state_, rows_);
    equations_.assemble(state_, 0, 0, rows_, *matrix_);
  }

  // Newton steps until the joints hold to rounding; few of them, so that a shaky structure does not fall back to where
  // it stood.
  void close() {
    const JointSet& joints = equations_.joints();
    const double arm = model::machine_size(model_);
    double last = std::numeric_limits<double>::infinity();
    VectorX right, change;
    for (int i = 0; i < kMostClosingSteps; ++i) {
      const double error = joints.error(state_, arm);
      if (error == 0 || !(error < last)) break;
      last = error;
      assemble_here();
      joints.values(state_, right);
      right = -right;
      change.setZero(equations_.map().v_total());
      matrix_->solve_with_rows(change, right);
      advance_by(change, 1);
    }
  }

  // Along a velocity that the joints allow, the same in every run. False if there is none.
  bool move() {
    const DofMap& map = equations_.map();
    const VectorX mass = equations_.mass_diagonal();
    math::Random random(1);
    VectorX velocity(map.v_total());
    for (int i = 0; i < map.v_total(); ++i) velocity[i] = std::sqrt(mass[i]) * random.normal();  // momenta
    assemble_here();
    matrix_->solve_in_place(velocity);
    const double size = model::machine_size(model_);
    double largest = 0;
    for (int node = 0; node < map.nodes(); ++node) {
      if (map.is_generalised(node)) continue;
      const int start = map.v_start(node);
      largest = std::max(largest, velocity.segment<3>(start).norm() / size);
      if (map.is_frame(node)) largest = std::max(largest, velocity.segment<3>(start + 3).norm());
    }
    if (!(largest > 0)) return false;
    advance_by(velocity, kExcursion / largest);
    close();
    return true;
  }

  void advance_by(const VectorX& velocity, double h) {
    VectorX moved;
    advance(equations_.map(), state_.q, velocity, h, moved);
    state_.q.swap(moved);
    equations_.joints().update_coordinates(state_);
  }

  // Rows are in the order of joints, then velocity rows.
  void add_dependent(const std::vector<int>& dependent, Mobility& result) const {
    const JointSet& joints = equations_.joints();
    int joint = 0, last = -1;
    for (const int row : dependent) {
      while (joint < joints.joints() && row >= joints.row_start(joint) + joints.joint(joint).rows()) ++joint;
      const int velocity_rows = static_cast<int>(model_.velocity_rows.size());
      const int owner = joint < joints.joints() ? joint : joints.joints() + row - (joints.rows() - velocity_rows);
      if (owner != last) {
        result.dependent.push_back(
            {owner < joints.joints() ? model_.joints[owner].name : model_.velocity_rows[owner - joints.joints()].name,
             0});
      }
      last = owner;
      ++result.dependent.back().rows;
    }
  }

  const model::Model& model_;
  const Equations& equations_;
  State state_;
  linalg::BlockSparseMatrix rows_;
  std::unique_ptr<linalg::EffectiveMass> matrix_;
};

}  // namespace

Mobility mobility(const model::Model& model, const Equations& equations) {
  return MobilityAnalysis(model, equations).run();
}

}  // namespace ricochet::mechanics
