// SPDX-License-Identifier: Apache-2.0
// Threads for data-parallel loops of workers. The frame thread never calls this: it starts a Job, whose work does.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace sepx {

class ThreadPool {
 public:
  /// 0: one thread per core. The caller of parallelFor works too, so `threads` = 1 makes no thread at all. Where the
  /// system refuses a thread (a limit on processes or memory) there are fewer: size() says how many.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const;  ///< threads that compute, the caller's one among them
  /// body(first, last) on disjoint blocks of at most `grain` indices that cover [begin, end). Returns when all are
  /// done. Several threads may call it at once. Results must not depend on the blocks' order.
  void parallelFor(std::size_t begin, std::size_t end, std::size_t grain,
                   const std::function<void(std::size_t first, std::size_t last)>& body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx
