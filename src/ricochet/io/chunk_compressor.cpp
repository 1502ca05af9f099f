#include "ricochet/io/chunk_compressor.hpp"

#include <zlib.h>

#include <stdexcept>
#include <system_error>
#include <utility>

namespace ricochet::io {

namespace {
constexpr std::size_t kMostBytesWaiting = 16 << 20;
}

std::vector<unsigned char> shuffle_and_deflate(const std::vector<unsigned char>& bytes, std::size_t value_bytes) {
  const std::size_t values = bytes.size() / value_bytes;
  std::vector<unsigned char> shuffled(bytes);  // a remainder that is no whole value stays behind
  for (std::size_t i = 0; i < values; ++i) {
    for (std::size_t k = 0; k < value_bytes; ++k) shuffled[k * values + i] = bytes[i * value_bytes + k];
  }
  uLongf size = compressBound(static_cast<uLong>(shuffled.size()));
  std::vector<unsigned char> result(size);
  const int level = ChunkCompressor::deflate_level;
  if (compress2(result.data(), &size, shuffled.data(), static_cast<uLong>(shuffled.size()), level) != Z_OK) {
    throw std::runtime_error("zlib cannot compress a chunk of results");
  }
  result.resize(size);
  return result;
}

ChunkCompressor::~ChunkCompressor() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ChunkCompressor::add(Chunk chunk) {
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {  // no threads here: it takes longer
      chunk.bytes = shuffle_and_deflate(chunk.bytes, chunk.value_bytes);
      items_.push_back({std::move(chunk), true, nullptr});
      next_ = items_.size();
      return;
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_bytes_ < kMostBytesWaiting; });
  waiting_bytes_ += chunk.bytes.size();
  items_.push_back({std::move(chunk), false, nullptr});
  lock.unlock();
  changed_.notify_all();
}

std::optional<ChunkCompressor::Chunk> ChunkCompressor::take(bool wait) {
  std::unique_lock lock(mutex_);
  if (items_.empty()) return std::nullopt;
  if (wait) changed_.wait(lock, [&] { return items_.front().ready; });
  if (!items_.front().ready) return std::nullopt;
  Item item = std::move(items_.front());
  items_.pop_front();
  --next_;
  if (item.error) std::rethrow_exception(item.error);
  return std::move(item.chunk);
}

void ChunkCompressor::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || next_ < items_.size(); });
    if (ends_) return;
    Item& item = items_[next_];  // stays where it is: only items that are ready leave, and others come behind it
    ++next_;
    lock.unlock();
    const std::size_t bytes = item.chunk.bytes.size();
    try {
      item.chunk.bytes = shuffle_and_deflate(item.chunk.bytes, item.chunk.value_bytes);
    } catch (...) {
      item.error = std::current_exception();
    }
    lock.lock();
    item.ready = true;
    waiting_bytes_ -= bytes;
    changed_.notify_all();
  }
}

}  // namespace ricochet::io
