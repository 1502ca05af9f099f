// A sweep on the terminal.
#pragma once

#include <string>

#include "ricochet/io/sweep_output.hpp"

namespace ricochet::app {

// A table of the samples with the last value of every probe, or, if there are too many of them, what the probes end
// with at least, on average and at most.
std::string sweep_text(const io::Sweep& sweep, int threads, double seconds);

// Samples that did not complete, and facts that do not hold: the first few as sentences, the others counted.
void complain_of_samples(const io::Sweep& sweep);

}  // namespace ricochet::app
