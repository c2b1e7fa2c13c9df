// SPDX-License-Identifier: Apache-2.0
// The signal handler only calls mmap and uses atomics, because it may interrupt any code. A SIGBUS outside all watched
// maps is passed to the previous handler.
#include "engine/checkpoint/mapped_file_guard.h"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace sepx::checkpoint {

namespace {

/// `begin` 0: free; `kTaken`: being filled in.
struct Watch {
  std::atomic<std::uintptr_t> begin{0}, end{0};
  std::atomic<bool> cut{false};
};

constexpr std::uintptr_t kTaken = 1;
constexpr std::size_t kMostWatches = 4096;  ///< more shards than any checkpoint has

// Global, because the signal handler belongs to the process and receives only an address.
std::array<Watch, kMostWatches> watches;
std::uintptr_t pageSize = 4096;
struct sigaction before {};

bool putZerosAt(std::uintptr_t address) {
  for (Watch& watch : watches) {
    const std::uintptr_t begin = watch.begin.load();
    if (begin <= kTaken || address < begin || address >= watch.end.load()) continue;
    void* const page = reinterpret_cast<void*>(address / pageSize * pageSize);
    if (::mmap(page, pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) return false;
    watch.cut.store(true);
    return true;
  }
  return false;
}

void onBusError(int, siginfo_t* info, void*) {
  if (putZerosAt(reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  // The faulting instruction runs again and reaches the previous handler, or ends the process.
  ::sigaction(SIGBUS, &before, nullptr);
}

void install() {
  pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = &onBusError;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before);
}

}  // namespace

int watchMap(const void* begin, std::size_t length) {
  static std::once_flag installed;
  std::call_once(installed, &install);
  for (std::size_t i = 0; i < watches.size(); ++i) {
    std::uintptr_t none = 0;
    if (!watches[i].begin.compare_exchange_strong(none, kTaken)) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    watches[i].cut.store(false);
    watches[i].end.store(first + length);
    watches[i].begin.store(first);
    return static_cast<int>(i);
  }
  return -1;
}

void unwatchMap(int watch) {
  if (watch >= 0) watches[static_cast<std::size_t>(watch)].begin.store(0);
}

bool mapWasTruncated(int watch) {
  return watch >= 0 && watches[static_cast<std::size_t>(watch)].cut.load();
}

}  // namespace sepx::checkpoint
