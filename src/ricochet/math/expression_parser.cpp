#include "ricochet/math/expression_parser.hpp"

#include <algorithm>
#include <utility>

#include "ricochet/math/expression.hpp"
#include "ricochet/math/expression_lexer.hpp"

namespace ricochet::math::detail {

namespace {

// Recursive descent, one member function per rule of the grammar; each leaves the code for its value behind.
class Parser {
 public:
  Parser(std::string_view text, const std::function<bool(std::string_view)>& is_name) : lexer_(text, is_name) {
    program_.text = text;
    token_ = lexer_.next();
  }

  Program parse() {
    if (token_.kind == TokenKind::kEnd) throw ExpressionError("the expression is empty", 1);
    expression();
    if (token_.kind != TokenKind::kEnd) throw_unexpected();
    return std::move(program_);
  }

 private:
  // Counts what the recursion must not repeat without end.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.level_ > Expression::kDeepestNesting) {
        throw ExpressionError(
            "the expression is nested more than " + std::to_string(Expression::kDeepestNesting) + " levels deep",
            parser_.token_.column);
      }
    }
    ~Level() { --parser_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  bool is(std::string_view sign) const { return token_.kind == TokenKind::kSign && token_.text == sign; }

  void advance() {
    previous_ = token_;
    token_ = lexer_.next();
  }

  // Appends an instruction and follows the height of the stack: values pushed less values popped.
  std::size_t emit(Operation operation, int height_change, std::int32_t operand = 0, double number = 0) {
    program_.instructions.push_back({operation, operand, number});
    height_ += height_change;
    if (height_ > kStackLimit) {
      throw ExpressionError("the expression needs more than " + std::to_string(kStackLimit) + " values at once",
                            token_.column);
    }
    program_.stack_depth = std::max(program_.stack_depth, height_);
    return program_.instructions.size() - 1;
  }

  std::int32_t here() const { return static_cast<std::int32_t>(program_.instructions.size()); }

  void expression() {
    const Level level(*this);
    comparison();
    if (!is("?")) return;
    const std::size_t question = token_.column;
    advance();
    const std::size_t branch = emit(Operation::kBranch, -1);
    expression();
    if (!is(":")) {
      throw ExpressionError("expected ':' to go with the '?' in column " + std::to_string(question) + found(),
                            token_.column);
    }
    advance();
    const std::size_t jump = emit(Operation::kJump, -1);  // only one of the two values is ever there
    program_.instructions[branch].operand = here();
    expression();
    program_.instructions[jump].operand = here();
  }

  static constexpr std::array<std::pair<std::string_view, Operation>, 6> kComparisons = {
      {{"<", Operation::kLess},
       {"<=", Operation::kLessEqual},
       {">", Operation::kGreater},
       {">=", Operation::kGreaterEqual},
       {"==", Operation::kEqual},
       {"!=", Operation::kNotEqual}}};

  const Operation* comparison_here() const {
    for (const auto& [sign, operation] : kComparisons) {
      if (is(sign)) return &operation;
    }
    return nullptr;
  }

  void comparison() {
    sum();
    const Operation* operation = comparison_here();
    if (operation == nullptr) return;
    advance();
    sum();
    emit(*operation, -1);
    if (comparison_here() != nullptr) {
      throw ExpressionError("comparisons cannot be chained; use parentheses", token_.column);
    }
  }

  void sum() {
    product();
    while (is("+") || is("-")) {
      const Operation operation = is("+") ? Operation::kAdd : Operation::kSubtract;
      advance();
      product();
      emit(operation, -1);
    }
  }

  void product() {
    with_sign();
    while (is("*") || is("/")) {
      const Operation operation = is("*") ? Operation::kMultiply : Operation::kDivide;
      advance();
      with_sign();
      emit(operation, -1);
    }
  }

  void with_sign() {
    bool negative = false;
    while (is("+") || is("-")) {
      if (is("-")) negative = !negative;
      advance();
    }
    power();
    if (negative) emit(Operation::kNegate, 0);
  }

  void power() {
    primary();
    if (!is("^")) return;
    const Level level(*this);
    advance();
    with_sign();
    emit(Operation::kPower, -1);
  }

  void primary() {
    switch (token_.kind) {
      case TokenKind::kNumber:
      case TokenKind::kConstantName:
        emit(Operation::kConstant, 1, 0, token_.number);
        return advance();
      case TokenKind::kName:
        emit(Operation::kName, 1, index_of(token_.text));
        return advance();
      case TokenKind::kFunction:
        return call();
      default:
        break;
    }
    if (!is("(")) throw_expected_value();
    const std::size_t open = token_.column;
    advance();
    expression();
    close(open);
  }

  void call() {
    const std::string_view name = token_.text;
    const std::size_t column = token_.column;
    const Function& function =
        *std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
    advance();
    const std::size_t open = token_.column;
    advance();
    int arguments = 0;
    if (!is(")")) {
      for (;;) {
        expression();
        ++arguments;
        // min(a, b, c) is min(min(a, b), c).
        if (arguments > 1 && arguments <= function.most_arguments) emit(function.operation, -1);
        if (!is(",")) break;
        advance();
      }
    }
    close(open);
    if (arguments < function.least_arguments || arguments > function.most_arguments) {
      const bool open_ended = function.most_arguments == kAnyNumber;
      throw ExpressionError(
          quoted(name) + (open_ended ? " takes at least " : " takes ") + std::to_string(function.least_arguments) +
              (function.least_arguments == 1 ? " argument" : " arguments") + ", not " + std::to_string(arguments),
          column);
    }
    if (function.most_arguments == 1) emit(function.operation, 0);
  }

  void close(std::size_t open) {
    if (!is(")")) {
      throw ExpressionError("expected ')' to close the '(' in column " + std::to_string(open) + found(), token_.column);
    }
    advance();
  }

  std::int32_t index_of(std::string_view name) {
    const auto position = std::find(program_.names.begin(), program_.names.end(), name);
    const auto index = static_cast<std::int32_t>(position - program_.names.begin());
    if (position == program_.names.end()) program_.names.emplace_back(name);
    return index;
  }

  std::string found() const {
    return token_.kind == TokenKind::kEnd ? ", but the text ends" : ", but found " + quoted(token_.text);
  }

  [[noreturn]] void throw_expected_value() const {
    const bool at_beginning = previous_.text.empty();
    throw ExpressionError("expected a number, a name or '(' " +
                              (at_beginning ? "at the beginning" + found() : "after " + quoted(previous_.text)),
                          token_.column);
  }

  [[noreturn]] void throw_unexpected() const {
    if (is(")")) throw ExpressionError("there is no '(' for this ')'", token_.column);
    if (is(",")) throw ExpressionError("a ',' may only separate the arguments of a function", token_.column);
    if (is(":")) throw ExpressionError("there is no '?' for this ':'", token_.column);
    throw ExpressionError("expected an operator after " + quoted(previous_.text) + found(), token_.column);
  }

  Lexer lexer_;
  Program program_;
  Token token_;     // the next one
  Token previous_;  // the last one consumed, for messages
  int height_ = 0;
  int level_ = 0;
};

}  // namespace

Program parse_program(std::string_view text, const std::function<bool(std::string_view)>& is_name) {
  if (text.size() > Expression::kLongestText) {
    throw ExpressionError("the expression is longer than " + std::to_string(Expression::kLongestText) + " characters",
                          Expression::kLongestText + 1);
  }
  return Parser(text, is_name).parse();
}

}  // namespace ricochet::math::detail
