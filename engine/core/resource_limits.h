// SPDX-License-Identifier: Apache-2.0
// Limits of memory and threads, and the error messages that name them when the system refuses more. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

namespace sepx {

/// Address space that this process may still allocate, in bytes; empty optional if it is not limited (ulimit -v).
std::optional<std::uint64_t> addressSpaceLeft();

/// "this process may use 500 MB of memory (ulimit -v)"; empty if memory is not limited.
std::string memoryLimit();
/// "out of memory: this process may use ...; raise the limit, or ask for less at a time".
std::string outOfMemory();
/// Prints "PROGRAM: " and outOfMemory() to standard error, and ends the program immediately with the exit status of
/// ErrorKind::Internal. For places where no exception can propagate and partial work cannot be undone.
[[noreturn]] void exitOutOfMemory() noexcept;
/// After this call, a std::bad_alloc that leaves a function that must not throw (a destructor, a thread) ends the
/// program through exitOutOfMemory() instead of a signal. Other reasons to terminate are unaffected. Call once, when
/// the program starts.
void installOutOfMemoryHandler();
/// "no thread can be started: ...".
std::string noThread();
/// Whether `count` threads can be started at once. Toolkits and drivers may wait forever for a thread that the system
/// refuses.
bool threadsCanStart(int count);
/// Whether `error` is the error of std::thread if the system refuses a thread.
bool isThreadRefused(const std::system_error& error);

}  // namespace sepx
