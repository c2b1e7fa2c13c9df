// SPDX-License-Identifier: Apache-2.0
#include "app/cli/call_filter.h"

#include <cerrno>
#include <memory>

#include <sched.h>
#include <seccomp.h>

namespace sepx::app::cli {
namespace {

struct FilterDeleter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

/// System calls that are never needed to read, compute and write files: for other programs, sockets, other processes
/// and their memory, and the kernel interfaces whose errors were exploited most.
constexpr int kRefused[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(open_by_handle_at),
};

}  // namespace

bool blockProgramsAndSockets() {
#ifdef __SANITIZE_ADDRESS__
  return false;  // the leak check at exit uses ptrace from another process
#endif
  const std::unique_ptr<void, FilterDeleter> filter(seccomp_init(SCMP_ACT_ALLOW));
  if (!filter) return false;
  bool complete = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1) == 0;
  for (const int call : kRefused)
    complete = complete && seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EACCES), call, 0) == 0;
  // A clone with CLONE_THREAD starts a thread, any other clone a process. The flags of clone3 are in memory, which a
  // filter cannot read. If clone3 fails with ENOSYS, the C library uses clone.
  const scmp_arg_cmp noThread{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0};
  complete = complete &&
             seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(EACCES), SCMP_SYS(clone), 1, &noThread) == 0 &&
             seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  return complete && seccomp_load(filter.get()) == 0;
}

}  // namespace sepx::app::cli
