#include "ricochet/contact/contact_memory.hpp"

#include <algorithm>

namespace ricochet::contact {

namespace {

// Looks up keys that come in ascending order; null for a contact that is not remembered.
class Lookup {
 public:
  explicit Lookup(const ContactMemory& memory) : next_(memory.contacts.data()), end_(next_ + memory.contacts.size()) {}

  const RememberedContact* find(const ContactKey& key) {
    while (next_ != end_ && next_->key < key) ++next_;
    return next_ != end_ && next_->key == key ? next_ : nullptr;
  }

 private:
  const RememberedContact* next_;
  const RememberedContact* end_;
};

}  // namespace

void recall(const ContactMemory& memory, const std::vector<Contact>& contacts, int block_size,
            linalg::ReusableVector& impulses) {
  impulses.setZero(static_cast<Eigen::Index>(contacts.size()) * block_size);
  Lookup lookup(memory);
  Eigen::Index offset = 0;
  for (const Contact& contact : contacts) {
    if (const RememberedContact* remembered = lookup.find(contact.key)) {
      impulses[offset] = contact.axes.normal.dot(remembered->impulse);
      impulses[offset + 1] = contact.axes.tangent1.dot(remembered->impulse);
      if (block_size == 3) impulses[offset + 2] = contact.axes.tangent2.dot(remembered->impulse);
    }
    offset += block_size;
  }
}

void remember(const std::vector<Contact>& contacts, int block_size, const linalg::VectorView& impulses, double slack,
              const ContactMemory& before, ContactMemory& memory) {
  memory.contacts.clear();
  Lookup lookup(before);
  Eigen::Index offset = 0;
  for (const Contact& contact : contacts) {
    RememberedContact& remembered = memory.contacts.emplace_back();
    remembered.key = contact.key;
    remembered.impulse = impulses[offset] * contact.axes.normal + impulses[offset + 1] * contact.axes.tangent1;
    if (block_size == 3) remembered.impulse += impulses[offset + 2] * contact.axes.tangent2;
    const RememberedContact* old = lookup.find(contact.key);
    if (impulses[offset] > 0) {
      remembered.slack = slack + (old != nullptr ? old->slack : 0);
      remembered.steps = 1 + (old != nullptr ? old->steps : 0);
    }
    offset += block_size;
  }
}

void detect_closed(const ContactSet& set, const mechanics::State& state, const ContactMemory& memory,
                   std::vector<Contact>& contacts) {
  double largest = 0;
  for (const RememberedContact& remembered : memory.contacts) largest = std::max(largest, remembered.slack);
  set.detect(state, largest, contacts);
  Lookup lookup(memory);
  std::erase_if(contacts, [&](const Contact& contact) {
    const RememberedContact* remembered = lookup.find(contact.key);
    return contact.gap > contact.gap_rounding + (remembered != nullptr ? remembered->slack : 0);
  });
}

}  // namespace ricochet::contact
