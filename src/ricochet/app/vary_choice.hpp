// The values of --vary, as they are written on the command line:
//
//   PATH=a,b,c                    a list; each is read like a scalar of a scene
//   PATH=linear(a,b):n            n values in equal steps           PATH=logarithmic(a,b):n   in equal ratios
//   PATH=uniform(a,b):n           n random values                   PATH=normal(mean,deviation):n
//
// Ends, means and deviations are numbers or expressions without names of the scene.
#pragma once

#include <string>
#include <vector>

#include "ricochet/study/sweep_plan.hpp"

namespace ricochet::app {

// Throws io::InputError, which names the --vary.
study::Variation read_variation(const std::string& text);

// Values with which the scene is read before anything runs, so that a mistake shows at once: all of a list, the ends of
// a range, and the middle of what is random, whose tails may well be refused in single samples.
std::vector<std::string> trial_values(const study::Variation& variation);

}  // namespace ricochet::app
