// SPDX-License-Identifier: Apache-2.0
// Threads for data-parallel loops: every loop is a counter from which its caller and the idle threads take blocks. The
// caller of a nested loop works on it itself, so there is no deadlock. An idle thread polls for work for a short time
// before it sleeps, because a training step consists of thousands of loops in quick succession, and waking a thread
// takes as long as many of these loops.
#include "engine/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/core/thread_name.h"

namespace sepx {

namespace {

/// Polls `ready` without sleeping, for a few times as long as waking a thread takes.
template <class Ready>
void lookFor(const Ready& ready) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLongest{60};
  const Clock::time_point start = Clock::now();
  while (!ready() && Clock::now() - start < kLongest) {
    std::this_thread::yield();
    for (int i = 0; i < 16 && !ready(); ++i) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
}

struct Loop {
  std::size_t begin = 0, end = 0, grain = 1, blocks = 0;
  const std::function<void(std::size_t, std::size_t)>* body =
      nullptr;  // outlives every block, since the caller waits for all
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::condition_variable finished;
  std::atomic<std::size_t> done{0};  // changed under the mutex
  std::exception_ptr failure;        // under the mutex: the exception of the first block that failed
  std::atomic<bool> failed{false};

  /// Takes blocks until none is left. An exception of a block is kept for the caller, and later blocks are skipped.
  void work() {
    std::size_t mine = 0;
    for (std::size_t block = next.fetch_add(1); block < blocks; block = next.fetch_add(1)) {
      ++mine;
      if (failed) continue;
      const std::size_t first = begin + block * grain;
      try {
        (*body)(first, std::min(end, first + grain));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        failed = true;
      }
    }
    if (mine == 0) return;
    const std::lock_guard lock(mutex);
    done += mine;
    if (done == blocks) finished.notify_all();
  }
  void wait(bool patient) {
    const auto complete = [this] { return done == blocks; };
    if (patient) lookFor(complete);
    std::unique_lock lock(mutex);
    finished.wait(lock, complete);
  }
};

}  // namespace

struct ThreadPool::Impl {
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::shared_ptr<Loop>> loops;  // loops that may still have blocks
  std::atomic<std::size_t> waiting{0};      // loops.size()
  std::atomic<bool> stop{false};
  bool patient = false;  // every thread has its own core, so polling is allowed
  std::vector<std::thread> threads;

  void remove(const std::shared_ptr<Loop>& loop) {
    std::erase(loops, loop);
    waiting = loops.size();
  }

  void run() {
    nameThread("pool");
    const auto wanted = [this] { return stop || waiting > 0; };
    std::unique_lock lock(mutex);
    for (;;) {
      if (patient && !wanted()) {
        lock.unlock();
        lookFor(wanted);
        lock.lock();
      }
      wake.wait(lock, wanted);
      if (stop) return;
      const std::shared_ptr<Loop> loop = loops.front();
      lock.unlock();
      loop->work();
      lock.lock();
      remove(loop);  // it has no blocks left
    }
  }
};

ThreadPool::ThreadPool(int threads) : impl_(std::make_unique<Impl>()) {
  const int count = threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  impl_->patient = count <= static_cast<int>(std::thread::hardware_concurrency());
  try {
    for (int i = 1; i < count; ++i)
      impl_->threads.emplace_back([impl = impl_.get()] { impl->run(); });
  } catch (const std::exception&) {
    // The system refuses another thread or its memory. Results do not depend on the number of threads.
  }
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
    impl_->waiting = impl_->loops.size();
  }
  if (shared) impl_->wake.notify_all();
  loop->work();
  loop->wait(shared && impl_->patient);
  if (shared) {
    const std::lock_guard lock(impl_->mutex);
    impl_->remove(loop);
  }
  if (loop->failure) std::rethrow_exception(loop->failure);
}

}  // namespace sepx
