// Where the program speaks: results on standard output, complaints on standard error.
#pragma once

#include <cstdio>
#include <string>

namespace ricochet::app {

inline void say(const std::string& text) { std::fputs(text.c_str(), stdout); }

inline void complain(const std::string& sentence) { std::fputs(("ricochet: " + sentence + "\n").c_str(), stderr); }

}  // namespace ricochet::app
