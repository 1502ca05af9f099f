#include "ricochet/math/expression.hpp"

#include <charconv>
#include <utility>

#include "ricochet/math/expression_parser.hpp"
#include "ricochet/math/expression_program.hpp"

namespace ricochet::math {

namespace {

std::shared_ptr<const detail::Program> constant_program(double value) {
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);  // shortest exact form
  detail::Program program;
  program.instructions.push_back({detail::Operation::kConstant, 0, value});
  program.text.assign(digits, end.ptr);
  program.stack_depth = 1;
  return std::make_shared<const detail::Program>(std::move(program));
}

void require_values(const detail::Program& program, std::size_t count) {
  if (count >= program.names.size()) return;
  throw std::invalid_argument("the expression '" + program.text + "' has no value for '" + program.names[count] + "'");
}

}  // namespace

Expression::Expression() {
  static const std::shared_ptr<const detail::Program> zero = constant_program(0.0);
  program_ = zero;
}

Expression::Expression(std::shared_ptr<const detail::Program> program) : program_(std::move(program)) {}

Expression Expression::parse(std::string_view text, const NamePredicate& is_name) {
  return Expression(std::make_shared<const detail::Program>(detail::parse_program(text, is_name)));
}

Expression Expression::constant(double value) { return Expression(constant_program(value)); }

const std::vector<std::string>& Expression::names() const { return program_->names; }

const std::string& Expression::text() const { return program_->text; }

double Expression::evaluate(std::span<const double> values) const {
  require_values(*program_, values.size());
  return detail::run(*program_, values);
}

Jet Expression::evaluate(std::span<const Jet> values) const {
  require_values(*program_, values.size());
  return detail::run(*program_, values);
}

double Expression::value() const { return evaluate(std::span<const double>()); }

Expression Expression::bind(const NameValues& lookup) const {
  detail::Program bound = *program_;
  bound.names.clear();
  std::vector<std::optional<double>> values;
  std::vector<std::int32_t> renumbered;
  for (const std::string& name : program_->names) {
    values.push_back(lookup(name));
    renumbered.push_back(static_cast<std::int32_t>(bound.names.size()));
    if (!values.back()) bound.names.push_back(name);
  }
  for (detail::Instruction& instruction : bound.instructions) {
    if (instruction.operation != detail::Operation::kName) continue;
    const auto index = static_cast<std::size_t>(instruction.operand);
    if (values[index]) {
      instruction = {detail::Operation::kConstant, 0, *values[index]};
    } else {
      instruction.operand = renumbered[index];
    }
  }
  return Expression(std::make_shared<const detail::Program>(std::move(bound)));
}

}  // namespace ricochet::math
