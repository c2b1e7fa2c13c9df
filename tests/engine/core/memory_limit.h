// SPDX-License-Identifier: Apache-2.0
// While an object exists, this process can allocate at most the given number of additional bytes of address space
// (ulimit -v).
#pragma once

#include <fstream>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sepx::test {

class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t more) : more_(more) {
    ::getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  /// False under emulators of another processor (qemu-user), which accept a limit but do not enforce it.
  bool holds() const {
    void* const beyond = ::mmap(nullptr, 2 * more_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (beyond == MAP_FAILED) return true;
    ::munmap(beyond, 2 * more_);
    return false;
  }

 private:
  std::size_t more_;
  rlimit before_{};
};

}  // namespace sepx::test
