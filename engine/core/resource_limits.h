// SPDX-License-Identifier: Apache-2.0
// What a person is told where the system gives no more memory or threads: which limit it is. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

namespace sepx {

/// Address space that this process may still take, bytes; nothing where it is not limited (ulimit -v).
std::optional<std::uint64_t> addressSpaceLeft();

/// "this process may use 500 MB of memory (ulimit -v)"; empty where that is not limited.
std::string memoryLimit();
/// "out of memory: this process may use ...; raise the limit, or ask for less at a time".
std::string outOfMemory();
/// Says on standard error "PROGRAM: " and outOfMemory(), and ends the program at once with the status of an error of
/// its own. For where no exception can go on: what is half done cannot be taken down.
[[noreturn]] void endWithoutMemory() noexcept;
/// From now on an exception for lack of memory that reaches where none may pass (a destructor, a thread) ends the
/// program by endWithoutMemory() instead of a signal. Other reasons to terminate stay what they are. Once, when a
/// program begins.
void expectLackOfMemory();
/// "no thread can be started: ...".
std::string noThread();
/// Whether so many threads can be started at once: tool kits and drivers that are refused one wait for it forever.
bool threadsCanStart(int count);
/// Whether `error` is what std::thread throws when the system refuses one.
bool isThreadRefused(const std::system_error& error);

}  // namespace sepx
