// A contact problem as problem files hold it: matrices and vectors of numbers under the names of FCLIB.
//
//   local     u = W r + V l + q,        V^T r + R l + s = 0
//   global    M v = H r + G l + f,      u = H^T v + w,      G^T v + b = 0
//
// and the law of Coulomb between u and r at every contact, whose components come normal first, as ours. The equations
// with l are bilateral: to us they are bilateral blocks of one row each, after the contacts. H and G are the transposes
// of our H. (Acary et al., "An open question: how to solve efficiently 3D frictional contact problem? FCLIB: a
// collection of discrete 3D frictional contact problems", 2014.)
//
// The readers of io/fclib_file and io/siconos_text fill this form, `make_problem` checks it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ricochet/cone/contact_problem.hpp"
#include "ricochet/cone/global_problem.hpp"
#include "ricochet/io/scalar_matrix.hpp"

namespace ricochet::io {

// A point given with a problem: a guess or a solution. What is not given is empty.
struct ScalarPoint {
  std::vector<double> v, u, r, l;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("v", self.v);
    visitor("u", self.u);
    visitor("r", self.r);
    visitor("l", self.l);
  }
};

struct ScalarProblem {
  std::string title, description, math_info;  // for people
  bool global = false;
  int dimension = 0;               // of every contact: 1, 2, 3, 5 or 6
  ScalarMatrix W, V, R;            // local
  std::vector<double> q, s;        //
  ScalarMatrix M, H, G;            // global
  std::vector<double> f, w, b;     //
  std::vector<double> mu;          // one per contact
  std::vector<double> mu_r, mu_s;  // of rolling (dimension 5 and 6) and spinning (6); FCLIB knows no mu_s
  std::optional<ScalarPoint> solution;
  std::vector<ScalarPoint> guesses;

  // See simulation/archive.hpp.
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    visitor("title", self.title);
    visitor("description", self.description);
    visitor("math_info", self.math_info);
    visitor("global", self.global);
    visitor("dimension", self.dimension);
    visitor("W", self.W);
    visitor("V", self.V);
    visitor("R", self.R);
    visitor("q", self.q);
    visitor("s", self.s);
    visitor("M", self.M);
    visitor("H", self.H);
    visitor("G", self.G);
    visitor("f", self.f);
    visitor("w", self.w);
    visitor("b", self.b);
    visitor("mu", self.mu);
    visitor("mu_r", self.mu_r);
    visitor("mu_s", self.mu_s);
    visitor("solution", self.solution);
    visitor("guesses", self.guesses);
  }
};

using AnyContactProblem = std::variant<cone::ContactProblem, cone::GlobalContactProblem>;

// Throws std::invalid_argument with a sentence if sizes disagree, an entry is out of range or not finite, or a
// coefficient is impossible. Looks at all sizes before it allocates anything that depends on them.
AnyContactProblem make_problem(const ScalarProblem& scalars);

// The other way round. Bilateral blocks come after the contacts, whatever their place was. Throws std::invalid_argument
// if contacts have different sizes: the form has no place for that.
ScalarProblem to_scalars(const cone::ContactProblem& problem);
ScalarProblem to_scalars(const cone::GlobalContactProblem& problem);

}  // namespace ricochet::io
