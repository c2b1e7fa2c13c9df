// SPDX-License-Identifier: Apache-2.0
// Starts a detached program with posix_spawn; see spawn.h.
#include "engine/core/spawn.h"

#include <csignal>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "engine/core/descriptor.h"

namespace sepx {

Result<pid_t> spawnDetached(const std::vector<std::string>& words, bool keepErrors) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (!keepErrors || descriptor != STDERR_FILENO)
      posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int code = posix_spawn(&child, words.front().c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code == 0) return child;
  return fail(ErrorKind::OutputFailed, words.front() + ": cannot be started: " + systemReason(code));
}

}  // namespace sepx
