// SPDX-License-Identifier: Apache-2.0
// While one lives, this process gets so many more bytes of address space (ulimit -v) and no more.
#pragma once

#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace sepx::test {

class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t more) {
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

 private:
  rlimit before_{};
};

}  // namespace sepx::test
