// SPDX-License-Identifier: Apache-2.0
// Threads for data-parallel loops: every loop is a counter from which its caller and the idle threads take blocks. A
// loop inside a loop is served by its caller, so nothing can wait for itself.
#include "engine/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace sepx {

namespace {

struct Loop {
  std::size_t begin = 0, end = 0, grain = 1, blocks = 0;
  const std::function<void(std::size_t, std::size_t)>* body =
      nullptr;  // outlives every block: the caller waits for all
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::condition_variable finished;
  std::size_t done = 0;  // guarded by mutex

  /// Takes blocks until none is left.
  void work() {
    std::size_t mine = 0;
    for (std::size_t block = next.fetch_add(1); block < blocks; block = next.fetch_add(1)) {
      const std::size_t first = begin + block * grain;
      (*body)(first, std::min(end, first + grain));
      ++mine;
    }
    if (mine == 0) return;
    const std::lock_guard lock(mutex);
    done += mine;
    if (done == blocks) finished.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex);
    finished.wait(lock, [this] { return done == blocks; });
  }
};

}  // namespace

struct ThreadPool::Impl {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::shared_ptr<Loop>> loops;  // those that may still have blocks
  bool stop = false;
  std::vector<std::thread> threads;

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [this] { return stop || !loops.empty(); });
      if (stop) return;
      const std::shared_ptr<Loop> loop = loops.front();
      lock.unlock();
      loop->work();
      lock.lock();
      std::erase(loops, loop);  // no block is left in it
    }
  }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
  const int count = threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (int i = 1; i < count; ++i)
    impl_->threads.emplace_back([impl = impl_.get()] { impl->run(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
  }
  impl_->wake.notify_all();
  for (std::thread& thread : impl_->threads)
    thread.join();
}

int ThreadPool::size() const {
  return static_cast<int>(impl_->threads.size()) + 1;
}

void ThreadPool::parallelFor(std::size_t begin, std::size_t end, std::size_t grain,
                             const std::function<void(std::size_t, std::size_t)>& body) {
  if (begin >= end) return;
  const auto loop = std::make_shared<Loop>();
  loop->begin = begin;
  loop->end = end;
  loop->grain = std::max<std::size_t>(grain, 1);
  loop->blocks = (end - begin - 1) / loop->grain + 1;
  loop->body = &body;
  const bool shared = loop->blocks > 1 && !impl_->threads.empty();
  if (shared) {
    const std::lock_guard lock(impl_->mutex);
    impl_->loops.push_back(loop);
  }
  if (shared) impl_->wake.notify_all();
  loop->work();
  loop->wait();
  if (shared) {
    const std::lock_guard lock(impl_->mutex);
    std::erase(impl_->loops, loop);
  }
}

}  // namespace sepx
