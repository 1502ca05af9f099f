#include "ricochet/io/contact_tally.hpp"

#include <utility>

namespace ricochet::io {

void ContactTally::add(std::span<const integrate::ContactRecord> step) {
  if (records_.empty()) {
    records_.assign(step.begin(), step.end());
    return;
  }
  merged_.clear();
  merged_.reserve(records_.size() + step.size());
  auto old = records_.cbegin();
  for (const integrate::ContactRecord& now : step) {
    while (old != records_.cend() && old->key < now.key) merged_.push_back(*old++);
    integrate::ContactRecord& record = merged_.emplace_back(now);
    if (old == records_.cend() || old->key != now.key) continue;
    record.impulse = old->impulse + now.impulse;
    record.shift = old->shift + now.shift;
    record.work_normal = old->work_normal + now.work_normal;
    record.work_tangential = old->work_tangential + now.work_tangential;
    ++old;
  }
  merged_.insert(merged_.end(), old, records_.cend());
  std::swap(records_, merged_);
}

}  // namespace ricochet::io
