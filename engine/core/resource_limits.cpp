// SPDX-License-Identifier: Apache-2.0
#include "engine/core/resource_limits.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/result.h"

namespace sepx {
namespace {

std::optional<std::uint64_t> limitOf(__rlimit_resource_t resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::terminate_handler terminateOtherwise = nullptr;  // one per process, like the handler
thread_local bool lacked = false;                     // an allocation of this thread failed

[[noreturn]] void noteLack() {
  lacked = true;
  throw std::bad_alloc();
}

[[noreturn]] void terminateOrEnd() {
  // If the compiler has inlined the destructor into its caller, the exception is not caught yet, and its type cannot be
  // queried.
  if (!std::current_exception() && std::uncaught_exceptions() > 0 && lacked) exitOutOfMemory();
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    exitOutOfMemory();
  } catch (...) {  // another reason
  }
  if (terminateOtherwise != nullptr) terminateOtherwise();
  std::abort();
}

}  // namespace

std::optional<std::uint64_t> addressSpaceLeft() {
  const std::optional<std::uint64_t> limit = limitOf(RLIMIT_AS);
  if (!limit) return std::nullopt;
  const auto statm = readHead("/proc/self/statm", 256);
  const std::uint64_t pages = statm ? std::strtoull(statm->c_str(), nullptr, 10) : 0;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return *limit - std::min(*limit, used);
}

std::string memoryLimit() {
  const auto memory = limitOf(RLIMIT_AS);
  return memory ? fmt::format("this process may use {} MB of memory (ulimit -v)", *memory >> 20) : std::string();
}

std::string outOfMemory() {
  const std::string limit = memoryLimit();
  if (limit.empty()) return "out of memory; ask for less at a time";
  return fmt::format("out of memory: {}; raise the limit, or ask for less at a time", limit);
}

void exitOutOfMemory() noexcept {
  const char* said = "out of memory; ask for less at a time";
  std::string limited;
  try {
    limited = outOfMemory();
    said = limited.c_str();
  } catch (const std::bad_alloc&) {  // without the limit
  }
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, said);
  std::_Exit(exitStatus(ErrorKind::Internal));
}

void installOutOfMemoryHandler() {
  terminateOtherwise = std::set_terminate(terminateOrEnd);
  std::set_new_handler(noteLack);
}

std::string noThread() {
  std::string limits = memoryLimit();
  if (const auto threads = limitOf(RLIMIT_NPROC))
    limits +=
        fmt::format("{}this user may have {} processes and threads (ulimit -u)", limits.empty() ? "" : ", ", *threads);
  if (limits.empty()) return "no thread can be started: the system has no more; close other programs";
  return fmt::format("no thread can be started: {}; raise the limit, or pass --threads 1", limits);
}

bool threadsCanStart(int count) {
  std::atomic<bool> over{false};
  std::vector<std::thread> threads;
  bool all = true;
  try {
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&over] { over.wait(false); });
  } catch (const std::system_error&) {
    all = false;
  }
  over = true;
  over.notify_all();
  for (std::thread& thread : threads)
    thread.join();
  return all;
}

bool isThreadRefused(const std::system_error& error) {
  return error.code() == std::errc::resource_unavailable_try_again;
}

}  // namespace sepx
