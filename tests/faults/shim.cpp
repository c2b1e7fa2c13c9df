// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD that lets one system call fail, so that a test sees how a program handles it. Calls are
// counted from the start of main(). The environment selects what happens:
//
//   SEPX_FAULT       which calls count and what happens (see kFaults); without it nothing fails
//   SEPX_FAULT_AT    the number of the call at which it happens, from 1; 0: calls are only counted
//   SEPX_FAULT_SITE  for "allocation": its first call at this site fails. A site is a number that stands for the
//                    functions through which the program reached the allocation. Unlike the number of a call it does
//                    not depend on times, cores or the lengths of paths.
//   SEPX_FAULT_LOG   the file to which the count of calls is written, or for "allocation" the sites in the order of
//                    their first calls, if no site is given
//   SEPX_FAULT_EACH  a folder: the program waits for numbers on its standard input. For each number it runs main() in
//                    this folder in a new process, in which the call of that number fails, and writes a line with the
//                    status of waitpid() and the number of calls that the process made.
//
// Calls count only on regular files, and not on the three standard streams. Allocations count only if the program or
// the C++ library requests them, because fontconfig, expat and drivers do not check theirs. The code in this file does
// not allocate.
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
#include <unwind.h>
#include <vulkan/vulkan.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

/// The calls that are counted.
enum Calls : unsigned {
  kNone = 0,
  kAllocation = 1,
  kWrite = 2,
  kSync = 4,
  kRename = 8,
  kOther = 16,
  kClock = 32,
  kDevice = 64,         ///< a submission, a wait, or a picture that is acquired or presented
  kDeviceMemory = 128,  ///< device memory
  kSwapchain = 256      ///< a picture of a window that is acquired or presented
};
/// The effect. Lose: the call fails, and every call after it until a new device is created.
enum class Effect { Fail, Short, FailFromNow, Kill, Jump, Lose };
struct Fault {
  const char* name;
  unsigned calls;
  Effect effect;
  int error;
  long seconds;
};
constexpr Fault kFaults[] = {
    {"allocation", kAllocation, Effect::Fail, ENOMEM, 0},
    {"nth-allocation", kAllocation, Effect::Fail, ENOMEM, 0},
    {"write", kWrite, Effect::Fail, EIO, 0},
    {"short", kWrite, Effect::Short, 0, 0},
    {"full", kWrite, Effect::FailFromNow, ENOSPC, 0},
    {"sync", kSync, Effect::Fail, EIO, 0},
    {"rename", kRename, Effect::Fail, EACCES, 0},
    {"kill", kWrite | kSync | kRename | kOther, Effect::Kill, 0, 0},
    {"forward", kClock, Effect::Jump, 0, 86400L * 3650},
    {"back", kClock, Effect::Jump, 0, -86400L * 3650},
    {"lost", kDevice, Effect::Lose, 0, 0},
    {"lost-again", kDevice, Effect::FailFromNow, 0, 0},
    {"device-memory", kDeviceMemory, Effect::Fail, 0, 0},
    {"out-of-date", kSwapchain, Effect::Fail, 0, 0},
};

/// The address ranges of the code of the program and of the C++ library.
struct Range {
  std::uintptr_t begin = 0, end = 0;
};
Range ours[2];
std::uintptr_t base = 0;  ///< address of the program's file

int findOurs(dl_phdr_info* info, std::size_t, void*) {
  const bool program = info->dlpi_name == nullptr || *info->dlpi_name == 0;
  if (!program && std::strstr(info->dlpi_name, "libstdc++") == nullptr) return 0;
  const bool first = program && ours[0].end == 0;
  if (first) base = info->dlpi_addr;
  Range& range = ours[first ? 0 : 1];
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

std::atomic<long> callsHere{0};
std::atomic<long>* calls = &callsHere;  ///< with SEPX_FAULT_EACH in memory that the processes share
std::atomic<bool> armed{false};
std::atomic<bool> deviceLost{false};
long at = 0;
Fault fault{"", kNone, Effect::Fail, 0, 0};

/// Counts a call. Returns whether this call fails.
bool fails(unsigned kind) {
  if (!armed.load(std::memory_order_relaxed) || (fault.calls & kind) == 0) return false;
  const long n = calls->fetch_add(1, std::memory_order_relaxed) + 1;
  if (fault.effect == Effect::Lose && deviceLost.load(std::memory_order_relaxed)) return true;
  if (at == 0 || n < at || (n > at && fault.effect != Effect::FailFromNow && fault.effect != Effect::Jump))
    return false;
  if (fault.effect == Effect::Lose) deviceLost = true;
  if (fault.effect == Effect::Kill) ::kill(::getpid(), SIGKILL);
  errno = fault.error;
  return true;
}

using Site = std::uint64_t;
bool bySite = false;  ///< "allocation": a call is selected by its site and not by its number
Site wanted = 0;      ///< the site that fails; 0: none, and sites are listed
std::atomic<bool> failed{false};
int siteLog = -1;
std::atomic<Site> listed[1U << 18];  // a hash table with about ten thousand entries in use

/// Visits the functions from an allocation up to main(): FNV-1a over their addresses.
_Unwind_Reason_Code goUp(_Unwind_Context* context, void* to) {
  Site& site = *static_cast<Site*>(to);
  const auto place = static_cast<std::uintptr_t>(_Unwind_GetIP(context)) - 1;  // inside the call, not after it
  for (int i = 0; i < 2; ++i) {
    if (place < ours[i].begin || place >= ours[i].end) continue;
    site = (site ^ (i == 0 ? place - base : place - ours[1].begin)) * 1099511628211ULL;
    site ^= site >> 32;
  }
  return _URC_NO_REASON;
}

Site siteHere() {
  Site site = 14695981039346656037ULL;
  _Unwind_Backtrace(goUp, &site);
  return site;
}

void say(int to, const char* format, ...);

/// Writes a site to the log when it occurs for the first time.
void list(Site site) {
  constexpr std::size_t kMask = std::size(listed) - 1;
  for (std::size_t i = site & kMask;; i = (i + 1) & kMask) {
    Site before = 0;
    if (listed[i].compare_exchange_strong(before, site)) return say(siteLog, "%016lx\n", site);
    if (before == site) return;
  }
}

bool lacks(const void* caller) {
  // The unwinding itself may allocate.
  __attribute__((tls_model("initial-exec"))) thread_local bool walking = false;
  if (!armed.load(std::memory_order_relaxed) || (fault.calls & kAllocation) == 0 || !isOurs(caller) || walking ||
      failed.load(std::memory_order_relaxed))
    return false;
  if (!bySite) return fails(kAllocation);
  walking = true;
  const Site site = siteHere();
  if (siteLog >= 0) list(site);
  walking = false;
  if (site != wanted || failed.exchange(true)) return false;
  errno = fault.error;
  return true;
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
  if (const int to = logFile(); to >= 0) say(to, "%ld\n", calls->load());
}

using Main = int (*)(int, char**, char**);
Main realMain = nullptr;

/// Implements SEPX_FAULT_EACH. Returns only in a child process, which then runs main(), or after the last number.
bool runsEach(const char* folder) {
  void* const shared = ::mmap(nullptr, sizeof callsHere, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) ::_exit(99);
  calls = new (shared) std::atomic<long>(0);
  char text[32]{};
  while (::read(0, text, sizeof text - 1) > 0) {
    at = std::atol(text);
    *calls = 0;
    const pid_t child = ::fork();
    if (child == 0) {
      const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      if (::dup2(nothing, 0) < 0 || ::dup2(nothing, 1) < 0 || ::chdir(folder) != 0) ::_exit(99);
      return true;
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) ::_exit(99);
    say(1, "%d %ld\n", status, calls->load());
    std::memset(text, 0, sizeof text);
  }
  return false;
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
  siteHere();  // the first unwinding makes its allocations before the counting starts
  at = number("SEPX_FAULT_AT", 0);
  const char* site = std::getenv("SEPX_FAULT_SITE");
  bySite = std::strcmp(name, "allocation") == 0;
  if (site != nullptr) wanted = std::strtoul(site, nullptr, 16);
  if (site == nullptr && bySite) siteLog = logFile();
  if (const char* folder = std::getenv("SEPX_FAULT_EACH"); folder != nullptr && !runsEach(folder)) return 0;
  if (!bySite) std::atexit(writeCount);
  armed = true;
  return realMain(count, arguments, environment);
}

/// Number of bytes that a short write takes.
std::size_t half(std::size_t size) {
  return size > 1 ? size / 2 : size;
}

/// Result of a write that fails. `made` performs a short write.
template <class Made>
ssize_t faulty(std::size_t size, const Made& made) {
  return fault.effect == Effect::Short ? made(half(size)) : -1;
}

/// Whether a call of a device fails because the device is lost. Earlier work of the device is finished first, because
/// the program may then destroy the device, while the driver, which knows of no loss, would still use it.
template <class Wait>
bool loses(const Wait& wait) {
  if (!fails(kDevice)) return false;
  wait();
  return true;
}
bool loses(VkDevice device) {
  return loses([device] { next<decltype(&vkDeviceWaitIdle)>("vkDeviceWaitIdle")(device); });
}
bool loses(VkQueue queue) {
  return loses([queue] { next<decltype(&vkQueueWaitIdle)>("vkQueueWaitIdle")(queue); });
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

VkResult vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info, const VkAllocationCallbacks* memory,
                        VkDevice* device) {
  NEXT(vkCreateDevice);
  deviceLost = false;
  return real(physical, info, memory, device);
}
VkResult vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                          VkDeviceMemory* memory) {
  NEXT(vkAllocateMemory);
  return fails(kDeviceMemory) ? VK_ERROR_OUT_OF_DEVICE_MEMORY : real(device, info, callbacks, memory);
}
VkResult vkQueueSubmit2(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* submits, VkFence fence) {
  NEXT(vkQueueSubmit2);
  return loses(queue) ? VK_ERROR_DEVICE_LOST : real(queue, count, submits, fence);
}
VkResult vkWaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t timeout) {
  NEXT(vkWaitSemaphores);
  return loses(device) ? VK_ERROR_DEVICE_LOST : real(device, info, timeout);
}
VkResult vkGetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, std::uint64_t* value) {
  NEXT(vkGetSemaphoreCounterValue);
  return loses(device) ? VK_ERROR_DEVICE_LOST : real(device, semaphore, value);
}
VkResult vkQueueWaitIdle(VkQueue queue) {
  NEXT(vkQueueWaitIdle);
  const VkResult result = real(queue);
  return fails(kDevice) ? VK_ERROR_DEVICE_LOST : result;
}
VkResult vkDeviceWaitIdle(VkDevice device) {
  NEXT(vkDeviceWaitIdle);
  const VkResult result = real(device);
  return fails(kDevice) ? VK_ERROR_DEVICE_LOST : result;
}
VkResult vkAcquireNextImageKHR(VkDevice device, VkSwapchainKHR swapchain, std::uint64_t timeout, VkSemaphore semaphore,
                               VkFence fence, std::uint32_t* index) {
  NEXT(vkAcquireNextImageKHR);
  if (fails(kSwapchain)) return VK_ERROR_OUT_OF_DATE_KHR;
  return loses(device) ? VK_ERROR_DEVICE_LOST : real(device, swapchain, timeout, semaphore, fence, index);
}
VkResult vkQueuePresentKHR(VkQueue queue, const VkPresentInfoKHR* info) {
  NEXT(vkQueuePresentKHR);
  if (loses(queue)) return VK_ERROR_DEVICE_LOST;
  // The picture is presented; otherwise it would never be available again.
  const VkResult result = real(queue, info);
  return fails(kSwapchain) ? VK_ERROR_OUT_OF_DATE_KHR : result;
}
}
