#include "ricochet/cone/body_contacts.hpp"

namespace ricochet::cone {

bool BodyContacts::prepare(const ContactProblem& problem, std::span<const int> contacts) {
  if (problem.bodies == nullptr || contacts.empty()) return false;
  const linalg::BlockSparseMatrix& gradients = *problem.bodies->gradients;
  // Only what the last island has left: there may be as many islands as nodes.
  for (const Body& body : bodies_) body_of_node_[body.node] = -1;
  if (body_of_node_.size() < static_cast<std::size_t>(gradients.columns()))
    body_of_node_.resize(gradients.columns(), -1);
  contacts_.clear();
  bodies_.clear();
  for (const int i : contacts) {
    const BlockLaw law = problem.law(i);
    if (law.bilateral || law.size > 3 || i >= problem.bodies->contacts) return false;
    Contact& contact = contacts_.emplace_back();
    contact.contact = i;
    contact.offset = problem.block_offset(i);
    contact.size = law.size;
    contact.friction = law.friction.sliding;
    int count = 0;
    for (const linalg::BlockSparseMatrix::Entry& entry : gradients.row(i)) {
      const linalg::BlockView block = gradients.block(i, entry);
      if (block.isZero(0)) continue;
      if (block.cols() > 6) return false;
      int& body = body_of_node_[entry.column];
      if (body < 0) {
        Body added;
        added.node = entry.column;
        if (!problem.bodies->mass->node_inverse(entry.column, added.inverse)) return false;
        if (added.inverse.isZero(0)) continue;  // it cannot move: contacts do not feel each other through it
        body = static_cast<int>(bodies_.size());
        bodies_.push_back(added);
      }
      if (count == 2) return false;
      contact.bodies[count] = body;
      contact.gradients[count].setZero();
      contact.gradients[count].topLeftCorner(law.size, block.cols()) = block;
      ++count;
    }
  }
  return true;
}

}  // namespace ricochet::cone
