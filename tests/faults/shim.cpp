// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD that lets one call of the system fail, so that a test sees what a program makes of it. Calls
// are counted from the begin of main(). What is asked stands in the environment:
//
//   SEPX_FAULT       which calls count and what happens at the n-th (see kFaults); empty: nothing fails
//   SEPX_FAULT_AT    n, from 1; 0: nothing fails, calls are counted
//   SEPX_FAULT_TO    with SEPX_FAULT_STEP (1): main() is run once in a child of its own for every n from SEPX_FAULT_AT
//   to SEPX_FAULT_TO, or until a
//                    run makes fewer than n calls; a line each goes to SEPX_FAULT_LOG: n, "exit" or "signal" or "hang",
//                    its number, calls that were made, and the lines on the child's standard error. Without it: main()
//                    runs once, here.
//   SEPX_FAULT_LOG   where the count of calls is written at the end, or those lines
//   SEPX_FAULT_SECONDS  after which a child counts as hanging (20)
//
// Files that count are regular ones and not the three standard streams. Allocations count where the program or the C++
// library asks for them: fontconfig, expat and drivers use what they were not given, and that is theirs. Nothing here
// allocates.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

/// What counts.
enum Calls : unsigned { kNone = 0, kAllocation = 1, kWrite = 2, kSync = 4, kRename = 8, kOther = 16, kClock = 32 };
/// What happens.
enum class Effect { Fail, Short, FailFromNow, Kill, Jump };
struct Fault {
  const char* name;
  unsigned calls;
  Effect effect;
  int error;
  long seconds;
};
constexpr Fault kFaults[] = {
    {"allocation", kAllocation, Effect::Fail, ENOMEM, 0},
    {"write", kWrite, Effect::Fail, EIO, 0},
    {"short", kWrite, Effect::Short, 0, 0},
    {"full", kWrite, Effect::FailFromNow, ENOSPC, 0},
    {"sync", kSync, Effect::Fail, EIO, 0},
    {"rename", kRename, Effect::Fail, EACCES, 0},
    {"kill", kWrite | kSync | kRename | kOther, Effect::Kill, 0, 0},
    {"forward", kClock, Effect::Jump, 0, 86400L * 3650},
    {"back", kClock, Effect::Jump, 0, -86400L * 3650},
};

/// Where the code of the program and of the C++ library lies.
struct Range {
  std::uintptr_t begin = 0, end = 0;
};
Range ours[2];

int findOurs(dl_phdr_info* info, std::size_t, void*) {
  const bool program = info->dlpi_name == nullptr || *info->dlpi_name == 0;
  if (!program && std::strstr(info->dlpi_name, "libstdc++") == nullptr) return 0;
  Range& range = ours[program && ours[0].end == 0 ? 0 : 1];
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0)
      range = {info->dlpi_addr + part.p_vaddr, info->dlpi_addr + part.p_vaddr + part.p_memsz};
  }
  return 0;
}

bool isOurs(const void* caller) {
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  return (at >= ours[0].begin && at < ours[0].end) || (at >= ours[1].begin && at < ours[1].end);
}

std::atomic<long> calls{0};
std::atomic<bool> armed{false};
long at = 0;
Fault fault{"", kNone, Effect::Fail, 0, 0};
long* shared = nullptr;  ///< the count of a child, seen by its parent

/// Counts a call; whether it is the one that fails.
bool fails(unsigned kind) {
  if (!armed.load(std::memory_order_relaxed) || (fault.calls & kind) == 0) return false;
  const long n = calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (shared != nullptr) *shared = n;
  if (at == 0 || n < at || (n > at && fault.effect != Effect::FailFromNow && fault.effect != Effect::Jump))
    return false;
  if (fault.effect == Effect::Kill) ::kill(::getpid(), SIGKILL);
  errno = fault.error;
  return true;
}

bool lacks(const void* caller) {
  return armed.load(std::memory_order_relaxed) && isOurs(caller) && fails(kAllocation);
}

bool ofFile(int fd) {
  if (fd < 3 || !armed.load(std::memory_order_relaxed)) return false;
  struct stat status {};
  const int before = errno;
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  errno = before;
  return regular;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}
#define NEXT(name) static const auto real = next<decltype(&::name)>(#name)

long number(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != 0 ? std::atol(text) : otherwise;
}

void say(int to, const char* format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  const int length = std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (length > 0 && ::write(to, text, static_cast<std::size_t>(length)) < 0) ::_exit(99);
}

int logFile() {
  const char* path = std::getenv("SEPX_FAULT_LOG");
  return path != nullptr ? ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
}

void writeCount() {
  armed = false;
  if (const int to = logFile(); to >= 0) say(to, "%ld\n", calls.load());
}

using Main = int (*)(int, char**, char**);
Main realMain = nullptr;

/// One run in a child; its line of the log.
bool runChild(long n, int log, long seconds, int count, char** arguments, char** environment) {
  const int said = ::memfd_create("said", 0);
  *shared = 0;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(said, 2);
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(nothing, 1);
    ::close(nothing);
    ::close(said);
    ::close(log);
    at = n;
    calls = 0;
    armed = true;
    const int status = realMain(count, arguments, environment);
    std::exit(status);
  }
  int status = 0;
  bool hangs = true;
  for (long waited = 0; waited < seconds * 1000; waited += waited < 100 ? 1 : 10) {
    if (::waitpid(child, &status, WNOHANG) == child) {
      hangs = false;
      break;
    }
    const timespec little{0, waited < 100 ? 1'000'000L : 10'000'000L};
    ::nanosleep(&little, nullptr);
  }
  if (hangs) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
  char text[4096];
  const ssize_t length = ::pread(said, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = 0;
  ::close(said);
  for (char* c = text; *c != 0; ++c)
    if (*c == '\n') *c = '\x1f';
  const bool killed = !hangs && WIFSIGNALED(status);
  say(log, "%ld %s %d %ld ", n,
      hangs    ? "hang"
      : killed ? "signal"
               : "exit",
      killed ? WTERMSIG(status) : WEXITSTATUS(status), *shared);
  if (length > 0 && ::write(log, text, std::strlen(text)) < 0) return false;
  say(log, "\n");
  return *shared >= n;
}

int counted(int count, char** arguments, char** environment) {
  if (std::getenv("SEPX_FAULT") == nullptr) return realMain(count, arguments, environment);
  const char* name = std::getenv("SEPX_FAULT");
  for (const Fault& one : kFaults)
    if (std::strcmp(one.name, name) == 0) fault = one;
  if (fault.calls == kNone) {
    say(2, "there is no fault '%s'\n", name);
    return 98;
  }
  ::dl_iterate_phdr(findOurs, nullptr);
  const long from = number("SEPX_FAULT_AT", 0), to = number("SEPX_FAULT_TO", 0), step = number("SEPX_FAULT_STEP", 1);
  if (to == 0) {
    at = from;
    std::atexit(writeCount);
    armed = true;
    return realMain(count, arguments, environment);
  }
  shared = static_cast<long*>(::mmap(nullptr, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const int log = logFile();
  for (long n = from; n <= to; n += step)
    if (!runChild(n, log, number("SEPX_FAULT_SECONDS", 20), count, arguments, environment)) break;
  return 0;
}

/// How much of `size` bytes a short write takes.
std::size_t half(std::size_t size) {
  return size > 1 ? size / 2 : size;
}

/// Answer of a write that is not made. `made` makes it for a part of its size.
template <class Made>
ssize_t faulty(std::size_t size, const Made& made) {
  return fault.effect == Effect::Short ? made(half(size)) : -1;
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** arguments, void (*init)(), void (*fini)(), void (*rtldFini)(),
                      void* stack) {
  realMain = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted, count, arguments, init, fini, rtldFini, stack);
}

void* malloc(std::size_t size) {
  return lacks(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  return lacks(__builtin_return_address(0)) ? nullptr : __libc_calloc(number, size);
}
void* realloc(void* old, std::size_t size) {
  return size > 0 && lacks(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return lacks(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return lacks(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  if (lacks(__builtin_return_address(0))) return ENOMEM;
  *to = __libc_memalign(alignment, size);
  return *to == nullptr ? ENOMEM : 0;
}

ssize_t write(int fd, const void* from, std::size_t size) {
  NEXT(write);
  return ofFile(fd) && fails(kWrite) ? faulty(size, [&](std::size_t part) { return real(fd, from, part); })
                                     : real(fd, from, size);
}
ssize_t pwrite(int fd, const void* from, std::size_t size, off_t offset) {
  NEXT(pwrite);
  return ofFile(fd) && fails(kWrite) ? faulty(size, [&](std::size_t part) { return real(fd, from, part, offset); })
                                     : real(fd, from, size, offset);
}
ssize_t pwrite64(int fd, const void* from, std::size_t size, off64_t offset) {
  NEXT(pwrite64);
  return ofFile(fd) && fails(kWrite) ? faulty(size, [&](std::size_t part) { return real(fd, from, part, offset); })
                                     : real(fd, from, size, offset);
}
ssize_t writev(int fd, const iovec* from, int count) {
  NEXT(writev);
  return ofFile(fd) && fails(kWrite) ? (fault.effect == Effect::Short ? real(fd, from, 1) : -1) : real(fd, from, count);
}
int ftruncate(int fd, off_t size) {
  NEXT(ftruncate);
  return ofFile(fd) && fails(kOther) ? -1 : real(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  NEXT(ftruncate64);
  return ofFile(fd) && fails(kOther) ? -1 : real(fd, size);
}
int unlink(const char* path) {
  NEXT(unlink);
  return fails(kOther) ? -1 : real(path);
}
int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  return fails(kOther) ? -1 : real(path, mode);
}
int fsync(int fd) {
  NEXT(fsync);
  return fails(kSync) ? -1 : real(fd);
}
int fdatasync(int fd) {
  NEXT(fdatasync);
  return fails(kSync) ? -1 : real(fd);
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  return fails(kRename) ? -1 : real(from, to);
}
int clock_gettime(clockid_t clock, timespec* to) {
  NEXT(clock_gettime);
  const int status = real(clock, to);
  if (status == 0 && clock == CLOCK_REALTIME && fails(kClock)) to->tv_sec += fault.seconds;
  return status;
}
}
