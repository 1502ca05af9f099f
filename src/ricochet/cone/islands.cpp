#include "ricochet/cone/islands.hpp"

#include <algorithm>
#include <numeric>

namespace ricochet::cone {

namespace {

bool couples(const linalg::BlockSparseMatrix& matrix, int row, const linalg::BlockSparseMatrix::Entry& entry) {
  const double* block = matrix.values().data() + entry.value_start;
  const int count = matrix.row_size(row) * matrix.column_size(entry.column);
  for (int k = 0; k < count; ++k) {
    if (block[k] != 0) return true;
  }
  return false;
}

}  // namespace

void Islands::find(const linalg::BlockSparseMatrix& delassus) {
  const int contacts = delassus.rows();
  sets_.reset(contacts);
  bool has_zeros = false;
  for (int i = 0; i < contacts; ++i) {
    int mine = sets_.find(i);
    for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(i)) {
      // Most pairs are known to hang together already, and the values need no look.
      if (sets_.find(entry.column) == mine) continue;
      if (!couples(delassus, i, entry)) {
        has_zeros = true;
        continue;
      }
      sets_.join(i, entry.column);
      mine = sets_.find(i);
    }
  }
  number(delassus);
  has_zero_couplings_ = false;
  for (int i = 0; i < contacts && has_zeros; ++i) {
    for (const linalg::BlockSparseMatrix::Entry& entry : delassus.row(i)) {
      if (island_[entry.column] != island_[i]) has_zero_couplings_ = true;
    }
  }
}

void Islands::find(const linalg::BlockSparseMatrix& mass, const linalg::BlockSparseMatrix& gradients) {
  // Contacts first, then nodes: every set with a contact is then named by a contact.
  const int contacts = gradients.rows();
  sets_.reset(contacts + mass.rows());
  for (int i = 0; i < mass.rows(); ++i) {
    for (const linalg::BlockSparseMatrix::Entry& entry : mass.row(i)) {
      if (couples(mass, i, entry)) sets_.join(contacts + i, contacts + entry.column);
    }
  }
  for (int i = 0; i < contacts; ++i) {
    for (const linalg::BlockSparseMatrix::Entry& entry : gradients.row(i)) {
      if (couples(gradients, i, entry)) sets_.join(i, contacts + entry.column);
    }
  }
  number(gradients);
}

// From sets to islands in the order of their first contacts, each with its contacts in ascending order.
void Islands::number(const linalg::BlockSparseMatrix& contact_rows) {
  const int contacts = contact_rows.rows();
  island_.resize(contacts);
  position_.resize(contacts);
  members_.resize(contacts);
  sizes_.resize(contacts);
  start_.reserve(contacts + 1);  // so that the same contacts in more islands need no memory
  start_.assign(1, 0);
  for (int i = 0; i < contacts; ++i) {
    const int first = sets_.find(i);
    if (first == i) {
      island_[i] = count();
      start_.push_back(0);
    } else {
      island_[i] = island_[first];  // already numbered, because the first is the smallest
    }
    position_[i] = start_[island_[i] + 1]++;
  }
  for (int k = 0; k < count(); ++k) start_[k + 1] += start_[k];
  for (int i = 0; i < contacts; ++i) {
    members_[start_[island_[i]] + position_[i]] = i;
    sizes_[start_[island_[i]] + position_[i]] = contact_rows.row_size(i);
  }
}

std::span<const int> Islands::contacts(int island) const {
  return {members_.data() + start_[island], members_.data() + start_[island + 1]};
}

int Islands::scalars(int island) const {
  return std::accumulate(sizes_.begin() + start_[island], sizes_.begin() + start_[island + 1], 0);
}

void Islands::copy_problem(const ContactProblem& whole, int island, ContactProblem& part) const {
  // All buffers have room for the whole, so that an island larger than those before allocates nothing.
  part.delassus.reserve_like(whole.delassus);
  part.friction.reserve(whole.friction.size());
  part.free_velocity.resize(whole.free_velocity.size());
  part.delassus.reset({sizes_.data() + start_[island], sizes_.data() + start_[island + 1]});
  part.friction.clear();
  part.bilateral.clear();
  part.bodies = nullptr;  // their H has other rows
  for (const int contact : contacts(island)) {
    part.delassus.begin_row(whole.block_size(contact));
    part.friction.push_back(whole.friction[contact]);
    if (!whole.bilateral.empty()) part.bilateral.push_back(whole.bilateral[contact]);
    for (const linalg::BlockSparseMatrix::Entry& entry : whole.delassus.row(contact)) {
      if (island_[entry.column] != island) continue;  // a stored zero
      const double* block = whole.delassus.values().data() + entry.value_start;
      linalg::MutableBlockView copy = part.delassus.append(position_[entry.column]);
      std::copy(block, block + copy.size(), copy.data());
    }
  }
  copy_impulses(whole, whole.free_velocity, island, part.free_velocity);
}

void Islands::copy_impulses(const ContactProblem& whole, const linalg::VectorView& impulses, int island,
                            linalg::ReusableVector& part) const {
  part.resize(scalars(island));
  double* to = part.data();
  for (const int contact : contacts(island)) {
    const double* from = impulses.data() + whole.block_offset(contact);
    to = std::copy(from, from + whole.block_size(contact), to);
  }
}

void Islands::return_impulses(const ContactProblem& whole, const linalg::VectorView& part, int island,
                              linalg::ReusableVector& impulses) const {
  const double* from = part.data();
  for (const int contact : contacts(island)) {
    const int size = whole.block_size(contact);
    std::copy(from, from + size, impulses.data() + whole.block_offset(contact));
    from += size;
  }
}

}  // namespace ricochet::cone
