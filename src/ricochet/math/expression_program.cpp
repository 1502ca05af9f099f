#include "ricochet/math/expression_program.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace ricochet::math::detail {

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

double truth(bool holds, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kNotANumber;
  return holds ? 1.0 : 0.0;
}

// The first two derivatives of a function of one variable at a, where it has the given value.
struct Slopes {
  double first, second;
};

Slopes slopes(Operation operation, double a, double value) {
  switch (operation) {
    case Operation::kSin:
      return {std::cos(a), -value};
    case Operation::kCos:
      return {-std::sin(a), -value};
    case Operation::kTan:
      return {1.0 + value * value, 2.0 * value * (1.0 + value * value)};
    case Operation::kAsin: {
      const double square = (1.0 - a) * (1.0 + a);
      return {1.0 / std::sqrt(square), a / (square * std::sqrt(square))};
    }
    case Operation::kAcos: {
      const double square = (1.0 - a) * (1.0 + a);
      return {-1.0 / std::sqrt(square), -a / (square * std::sqrt(square))};
    }
    case Operation::kAtan: {
      const double first = 1.0 / (1.0 + a * a);
      return {first, -2.0 * a * first * first};
    }
    case Operation::kSinh:
      return {std::cosh(a), value};
    case Operation::kCosh:
      return {std::sinh(a), value};
    case Operation::kTanh: {
      const double first = 1.0 / (std::cosh(a) * std::cosh(a));  // 1 - tanh^2 would cancel
      return {first, -2.0 * value * first};
    }
    case Operation::kExp:
      return {value, value};
    case Operation::kLog:
      return {1.0 / a, -1.0 / (a * a)};
    case Operation::kLog10:
      return {1.0 / (a * std::numbers::ln10), -1.0 / (a * a * std::numbers::ln10)};
    case Operation::kSqrt:
      return {0.5 / value, -0.25 / (a * value)};
    default:
      return {kNotANumber, kNotANumber};
  }
}

// a^p (log a)^k, continued to its limit 0 at a = 0 for p > 0.
double power_logarithm(double a, double p, int k) {
  if (a == 0.0 && p > 0.0) return 0.0;
  const double logarithm = std::log(a);
  return std::pow(a, p) * (k == 1 ? logarithm : logarithm * logarithm);
}

// Terms of the derivatives of a^b. A factor b, b - 1 or (of an argument that is constant) rate and acceleration that is
// zero removes the term even where the power of a that it multiplies is infinite: t^2 and t^1 at t = 0.
Jet power(double value, const Quantity& a, const Quantity& b) {
  const double x = a.jet.value;
  const double n = b.jet.value;
  Jet result{value, 0.0, 0.0};
  if (a.varies) {
    const double first = n == 0.0 ? 0.0 : n * std::pow(x, n - 1.0);
    const double second = n == 0.0 || n == 1.0 ? 0.0 : n * (n - 1.0) * std::pow(x, n - 2.0);
    result.rate += first * a.jet.rate;
    result.acceleration += second * a.jet.rate * a.jet.rate + first * a.jet.acceleration;
  }
  // A varying exponent of the constant base zero: 0^b is the constant 0 for b > 0, as power_logarithm says.
  if (b.varies) {
    const double first = power_logarithm(x, n, 1);
    result.rate += first * b.jet.rate;
    result.acceleration += power_logarithm(x, n, 2) * b.jet.rate * b.jet.rate + first * b.jet.acceleration;
  }
  if (a.varies && b.varies) {
    const double mixed = std::pow(x, n - 1.0) + n * power_logarithm(x, n - 1.0, 1);
    result.acceleration += 2.0 * mixed * a.jet.rate * b.jet.rate;
  }
  return result;
}

}  // namespace

double apply(Operation operation, double a) {
  switch (operation) {
    case Operation::kNegate:
      return -a;
    case Operation::kSin:
      return std::sin(a);
    case Operation::kCos:
      return std::cos(a);
    case Operation::kTan:
      return std::tan(a);
    case Operation::kAsin:
      return std::asin(a);
    case Operation::kAcos:
      return std::acos(a);
    case Operation::kAtan:
      return std::atan(a);
    case Operation::kSinh:
      return std::sinh(a);
    case Operation::kCosh:
      return std::cosh(a);
    case Operation::kTanh:
      return std::tanh(a);
    case Operation::kExp:
      return std::exp(a);
    case Operation::kLog:
      return std::log(a);
    case Operation::kLog10:
      return std::log10(a);
    case Operation::kSqrt:
      return std::sqrt(a);
    case Operation::kAbs:
      return std::abs(a);
    default:
      return kNotANumber;
  }
}

double apply(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::kAdd:
      return a + b;
    case Operation::kSubtract:
      return a - b;
    case Operation::kMultiply:
      return a * b;
    case Operation::kDivide:
      return a / b;
    case Operation::kPower:
      // C says 1^NaN = NaN^0 = 1; here not a number never disappears.
      return std::isnan(a) || std::isnan(b) ? kNotANumber : std::pow(a, b);
    case Operation::kAtan2:
      return std::atan2(a, b);
    case Operation::kMin:
      return b < a || std::isnan(b) ? b : a;
    case Operation::kMax:
      return b > a || std::isnan(b) ? b : a;
    case Operation::kLess:
      return truth(a < b, a, b);
    case Operation::kLessEqual:
      return truth(a <= b, a, b);
    case Operation::kGreater:
      return truth(a > b, a, b);
    case Operation::kGreaterEqual:
      return truth(a >= b, a, b);
    case Operation::kEqual:
      return truth(a == b, a, b);
    case Operation::kNotEqual:
      return truth(a != b, a, b);
    default:
      return kNotANumber;
  }
}

Quantity apply(Operation operation, const Quantity& a) {
  const double value = apply(operation, a.jet.value);
  if (!a.varies) return {{value, 0.0, 0.0}, false};
  if (std::isnan(value)) return {{value, value, value}, true};
  if (operation == Operation::kNegate || (operation == Operation::kAbs && a.jet.value < 0.0)) {
    return {{value, -a.jet.rate, -a.jet.acceleration}, true};
  }
  if (operation == Operation::kAbs) return {{value, a.jet.rate, a.jet.acceleration}, true};
  const Slopes f = slopes(operation, a.jet.value, value);
  return {{value, f.first * a.jet.rate, f.second * a.jet.rate * a.jet.rate + f.first * a.jet.acceleration}, true};
}

Quantity apply(Operation operation, const Quantity& a, const Quantity& b) {
  const double value = apply(operation, a.jet.value, b.jet.value);
  if (!a.varies && !b.varies) return {{value, 0.0, 0.0}, false};
  if (std::isnan(value)) return {{value, value, value}, true};
  const Jet& x = a.jet;
  const Jet& y = b.jet;
  switch (operation) {
    case Operation::kAdd:
      return {{value, x.rate + y.rate, x.acceleration + y.acceleration}, true};
    case Operation::kSubtract:
      return {{value, x.rate - y.rate, x.acceleration - y.acceleration}, true};
    case Operation::kMultiply:
      return {{value, x.rate * y.value + x.value * y.rate,
               x.acceleration * y.value + 2.0 * x.rate * y.rate + x.value * y.acceleration},
              true};
    case Operation::kDivide: {  // from x = v y, differentiated twice
      const double rate = (x.rate - value * y.rate) / y.value;
      return {{value, rate, (x.acceleration - 2.0 * rate * y.rate - value * y.acceleration) / y.value}, true};
    }
    case Operation::kPower:
      return {power(value, a, b), true};
    case Operation::kAtan2: {  // x is the ordinate, y the abscissa; d(angle) = (y dx - x dy)/(x^2 + y^2)
      const double square = x.value * x.value + y.value * y.value;
      const double rate = (y.value * x.rate - x.value * y.rate) / square;
      const double turned = y.value * x.acceleration - x.value * y.acceleration;
      return {{value, rate, (turned - 2.0 * rate * (x.value * x.rate + y.value * y.rate)) / square}, true};
    }
    case Operation::kMin:
      return y.value < x.value ? b : a;
    case Operation::kMax:
      return y.value > x.value ? b : a;
    default:  // comparisons
      return {{value, 0.0, 0.0}, false};
  }
}

namespace {

double number_of(double value) { return value; }
double number_of(const Quantity& value) { return value.jet.value; }

void assign(double& target, double value) { target = value; }
void assign(Quantity& target, double value) { target = {{value, 0.0, 0.0}, false}; }
void assign(Quantity& target, const Jet& value) {
  target = {value, value.rate != 0.0 || value.acceleration != 0.0};  // not a number varies, too
}

void make_not_a_number(double& target) { target = kNotANumber; }
void make_not_a_number(Quantity& target) { target = {{kNotANumber, kNotANumber, kNotANumber}, true}; }

// Cell is double or Quantity, Value is double or Jet. The parser has checked the depth and all operands.
template <int kDepth, class Cell, class Value>
Cell run_on_stack(const Program& program, std::span<const Value> values) {
  std::array<Cell, kDepth> stack{};
  int top = -1;
  const int count = static_cast<int>(program.instructions.size());
  for (int at = 0; at < count; ++at) {
    const Instruction& instruction = program.instructions[static_cast<std::size_t>(at)];
    const auto cell = [&](int index) -> Cell& { return stack[static_cast<std::size_t>(index)]; };
    if (instruction.operation == Operation::kConstant) {
      assign(cell(++top), instruction.number);
    } else if (instruction.operation == Operation::kName) {
      assign(cell(++top), values[static_cast<std::size_t>(instruction.operand)]);
    } else if (is_unary(instruction.operation)) {
      cell(top) = apply(instruction.operation, cell(top));
    } else if (is_binary(instruction.operation)) {
      cell(top - 1) = apply(instruction.operation, cell(top - 1), cell(top));
      --top;
    } else if (instruction.operation == Operation::kJump) {
      at = instruction.operand - 1;
    } else {
      const double condition = number_of(cell(top--));
      if (std::isnan(condition)) {
        make_not_a_number(cell(++top));
        at = program.instructions[static_cast<std::size_t>(instruction.operand - 1)].operand - 1;
      } else if (condition == 0.0) {
        at = instruction.operand - 1;
      }
    }
  }
  return stack[0];
}

constexpr int kShallow = 16;  // most expressions; a small stack spares the initialisation of a large one

}  // namespace

double run(const Program& program, std::span<const double> values) {
  return program.stack_depth <= kShallow ? run_on_stack<kShallow, double>(program, values)
                                         : run_on_stack<kStackLimit, double>(program, values);
}

Jet run(const Program& program, std::span<const Jet> values) {
  return program.stack_depth <= kShallow ? run_on_stack<kShallow, Quantity>(program, values).jet
                                         : run_on_stack<kStackLimit, Quantity>(program, values).jet;
}

}  // namespace ricochet::math::detail
