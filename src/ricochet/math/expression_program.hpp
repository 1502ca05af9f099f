// What an expression is compiled to: a short program for a stack machine. Internal to expressions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ricochet/math/jet.hpp"

namespace ricochet::math::detail {

enum class Operation : std::uint8_t {
  kConstant,  // push number
  kName,      // push values[operand]
  // Pop one, push one.
  kNegate,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kExp,
  kLog,
  kLog10,
  kSqrt,
  kAbs,
  // Pop two, push one.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kAtan2,
  kMin,
  kMax,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  // c ? a : b is compiled to  c, branch, a, jump, b.
  kBranch,  // pop the condition; zero: go to operand, just behind the jump; NaN: push NaN and go where the jump goes
  kJump,    // go to operand
};

inline bool is_unary(Operation operation) { return operation >= Operation::kNegate && operation <= Operation::kAbs; }
inline bool is_binary(Operation operation) { return operation >= Operation::kAdd && operation <= Operation::kNotEqual; }

struct Instruction {
  Operation operation = Operation::kConstant;
  std::int32_t operand = 0;
  double number = 0;
};

inline constexpr int kStackLimit = 256;  // values that an evaluation may hold at once

struct Program {
  std::vector<Instruction> instructions;
  std::vector<std::string> names;
  std::string text;
  int stack_depth = 0;
};

struct Function {
  std::string_view name;
  Operation operation;
  int least_arguments;
  int most_arguments;
};

inline constexpr int kAnyNumber = 1 << 30;

inline constexpr std::array<Function, 17> kFunctions = {{{"sin", Operation::kSin, 1, 1},
                                                         {"cos", Operation::kCos, 1, 1},
                                                         {"tan", Operation::kTan, 1, 1},
                                                         {"asin", Operation::kAsin, 1, 1},
                                                         {"acos", Operation::kAcos, 1, 1},
                                                         {"atan", Operation::kAtan, 1, 1},
                                                         {"atan2", Operation::kAtan2, 2, 2},
                                                         {"sinh", Operation::kSinh, 1, 1},
                                                         {"cosh", Operation::kCosh, 1, 1},
                                                         {"tanh", Operation::kTanh, 1, 1},
                                                         {"exp", Operation::kExp, 1, 1},
                                                         {"log", Operation::kLog, 1, 1},
                                                         {"log10", Operation::kLog10, 1, 1},
                                                         {"sqrt", Operation::kSqrt, 1, 1},
                                                         {"abs", Operation::kAbs, 1, 1},
                                                         {"min", Operation::kMin, 2, kAnyNumber},
                                                         {"max", Operation::kMax, 2, kAnyNumber}}};

// A jet on the stack. Whether it varies is known from what it was computed from, not from its derivatives: t^4 varies
// at t = 0 although rate and acceleration vanish there, so that sqrt(t^4) does not pass for a constant.
struct Quantity {
  Jet jet;
  bool varies = false;
};

double apply(Operation operation, double a);
double apply(Operation operation, double a, double b);
Quantity apply(Operation operation, const Quantity& a);
Quantity apply(Operation operation, const Quantity& a, const Quantity& b);

double run(const Program& program, std::span<const double> values);
Jet run(const Program& program, std::span<const Jet> values);

}  // namespace ricochet::math::detail
