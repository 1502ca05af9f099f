// From the text of an expression to its program. Internal to expressions; the grammar is in expression.hpp.
#pragma once

#include <functional>
#include <string_view>

#include "ricochet/math/expression_program.hpp"

namespace ricochet::math::detail {

// Throws ExpressionError.
Program parse_program(std::string_view text, const std::function<bool(std::string_view)>& is_name);

}  // namespace ricochet::math::detail
