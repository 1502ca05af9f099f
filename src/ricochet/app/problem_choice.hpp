// Which problem files the user means: files, directories (all problem files in them), or globs that the shell left
// alone.
#pragma once

#include <string>
#include <vector>

namespace ricochet::app {

// In the order given; what a directory or glob stands for is sorted. Throws InputError if one of them stands for
// nothing. A plain name is returned even if there is no such file: reading it will say so.
std::vector<std::string> choose_problems(const std::vector<std::string>& names);

}  // namespace ricochet::app
