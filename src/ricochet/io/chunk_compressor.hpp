// Compresses chunks of datasets on a thread of its own, while the simulation goes on.
//
// Most of the time that writing takes goes into deflating. A full chunk is handed over, and comes back some steps later
// in the form in which HDF5 stores it (filters shuffle and deflate), so that all that is left to do is to write its
// bytes. HDF5 itself, which is not made for threads, is only called by whoever owns the file. Chunks come back in the
// order in which they were given: the file does not depend on who was faster.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ricochet::io {

struct Hdf5SeriesStorage;

class ChunkCompressor {
 public:
  static constexpr int deflate_level = 4;

  struct Chunk {
    Hdf5SeriesStorage* series = nullptr;  // to whom it belongs, and from which row on
    std::int64_t first_row = 0;
    std::size_t value_bytes = 1;  // of one value, by which bytes are shuffled
    std::vector<unsigned char> bytes;
  };

  ChunkCompressor() = default;
  ChunkCompressor(const ChunkCompressor&) = delete;
  ChunkCompressor& operator=(const ChunkCompressor&) = delete;
  ~ChunkCompressor();

  // Hands over a chunk. If the simulation is so much faster that 16 MB wait already, it waits too.
  void add(Chunk chunk);

  // The oldest chunk that has been handed over, compressed, or nothing if it is not ready. `wait`: until it is; nothing
  // only if there is none. Throws what went wrong with it.
  std::optional<Chunk> take(bool wait);

 private:
  struct Item {
    Chunk chunk;
    bool ready = false;
    std::exception_ptr error;
  };

  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
  std::size_t next_ = 0;  // of items_, to be compressed
  std::size_t waiting_bytes_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

// What shuffle and deflate make of a chunk.
std::vector<unsigned char> shuffle_and_deflate(const std::vector<unsigned char>& bytes, std::size_t value_bytes);

}  // namespace ricochet::io
