// Anderson acceleration of a fixed-point iteration x <- G(x), here the sweeps of cone/gauss_seidel on one island.
//
// From the last few iterates it builds the affine combination whose changes f = G(x) - x nearly cancel, and jumps there
// (D. G. Anderson, J. ACM 12, 1965; type II of Fang & Saad, Numer. Linear Algebra Appl. 16, 2009; Walker & Ni, SIAM J.
// Numer. Anal. 49, 2011): with the differences of successive changes and images as columns,
//
//   dF = ( f_1 - f_0, f_2 - f_1, ... ),     dG = ( G_1 - G_0, ... ),
//   gamma = argmin | f_k - dF gamma |,      x_{k+1} = G_k - dG gamma.
//
// For linear maps this is GMRES in disguise; sweeps are linear as long as no contact changes between open, stick and
// slip. Where one does, the past misleads: a jump may throw away what plain steps had won, and where |f| grows for a
// while on the way to the solution (sliding friction: G does not contract) minimising |f| leads back to where the
// iteration came from, again and again. So SafeguardedAnderson takes nothing on trust:
//
//  - Jumps must go forward, (x_{k+1} - G_k).f_k > 0, unless the steps go to and fro (f_k.f_{k-1} <= 0), when the
//    solution lies behind. This costs nothing.
//  - They are made in legs of at most kLongestLeg. A leg ends early if |f| has not fallen after a jump, which is taken
//    back, and the past forgotten; or if there is no way forward, when it is kept as it is: |f| fell at every jump.
//  - Otherwise a leg is kept only if it brought |f| below 0.95 of where it began. If not, the whole leg is undone and
//    the iteration goes on from where it began, as if it had never been.
//  - After a leg of n steps that was undone the next p n steps are plain, p = 2, 4, 8, 16, 32, 32 ... (half of it after
//    a leg that was kept).
//
// Hence the steps are those of the plain iteration, interrupted by legs that lowered |f| and by legs that leave no
// trace. Where jumps never pay, these are one of 33 steps in the long run, and five legs before that. What this cannot
// promise is that the plain iteration is as lucky from where a kept leg has ended as from where it began.
//
// Components are weighted (an impulse over the scale of its contact), so that units and ratios of mass do not matter.
// gamma comes from the normal equations of at most kWindow columns, regularised by round-off of their trace.
#pragma once

#include <vector>

#include "ricochet/math/types.hpp"

namespace ricochet::cone {

class Anderson {
 public:
  static constexpr int kWindow = 8;

  // Forgets everything. Does not allocate once it has seen this size.
  void reset(int size);
  // Forgets the past, but not the size.
  void restart() { columns_ = past_ = 0; }

  // From `change` = weights * (image - x), `image` = G(x), both of the same size: the next x. False, and `next` is the
  // image, as long as there is no past.
  bool extrapolate(const double* change, const double* image, double* next);

 private:
  bool find_coefficients(const double* change, double* gamma) const;

  int size_ = 0;
  int past_ = 0;     // 1 if last_change_ and last_image_ are there
  int columns_ = 0;  // all that have been written; the last kWindow of them are in use
  std::vector<double> last_change_, last_image_;
  std::vector<double> change_steps_, image_steps_;  // dF and dG, column by column, in turn
  double gram_[kWindow * kWindow] = {};             // dF^T dF
};

// The iteration with jumps, legs and pauses as above. All vectors have the size given to `reset`.
class SafeguardedAnderson {
 public:
  static constexpr int kLongestLeg = 8;

  // A new iteration. Its user then sets the weights. Does not allocate once it has seen this size.
  void reset(int size);
  double* weights() { return weights_.data(); }

  // After a step from x to G(x): where the next one should begin. Overwrites `image` with it; false if it is the image.
  bool choose_next(const double* x, double* image);

 private:
  bool find_jump(const double* image);  // to next_
  void begin_leg(const double* image, double square);
  bool leg_is_kept(double square);
  bool return_to(const std::vector<double>& point, double* image);

  Anderson anderson_;
  int size_ = 0;
  std::vector<double> weights_, change_, last_change_, next_, last_image_, leg_start_;
  bool jumped_ = false;     // the last step began at a point of Anderson's
  double last_square_ = 0;  // |f|^2 of the last step that was not taken back
  double leg_square_ = 0;   // |f|^2 where the leg began
  double alignment_ = 0;    // f_k.f_{k-1}
  int leg_ = 0;             // its steps so far
  int pause_ = 0;           // plain steps still to be made
  int patience_ = 0;        // p above
};

}  // namespace ricochet::cone
