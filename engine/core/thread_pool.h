// SPDX-License-Identifier: Apache-2.0
// A thread pool for data-parallel loops of worker threads. The frame thread never calls it directly, but starts a job
// (job.h) whose work does.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace sepx {

class ThreadPool {
 public:
  /// `threads` = 0: one thread per core. The caller of parallelFor also computes, so `threads` = 1 starts no thread. If
  /// the system refuses a thread (a limit on processes or memory), there are fewer; see size().
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const;  ///< number of threads that compute, including the caller
  /// Calls body(first, last) on disjoint blocks of at most `grain` indices that cover [begin, end). Returns when all
  /// are done. Several threads may call it at once. Results must not depend on the order of the blocks.
  void parallelFor(std::size_t begin, std::size_t end, std::size_t grain,
                   const std::function<void(std::size_t first, std::size_t last)>& body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx
