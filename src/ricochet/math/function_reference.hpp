// Something that can be called, by reference: the argument of a function that calls it and does not keep it.
//
// As std::function, but it owns nothing, and so never asks for memory, however much a lambda captures. What it refers
// to must live as long as it is called: a lambda written as the argument does.
#pragma once

#include <memory>

namespace ricochet::math {

template <class Signature>
class FunctionReference;

template <class Result, class... Arguments>
class FunctionReference<Result(Arguments...)> {
 public:
  template <class Function>
  FunctionReference(const Function& function)  // NOLINT(google-explicit-constructor): lambdas become one as arguments
      : function_(std::addressof(function)), call_([](const void* of, Arguments... arguments) -> Result {
          return (*static_cast<const Function*>(of))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(function_, arguments...); }

 private:
  const void* function_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace ricochet::math
