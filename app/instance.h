// SPDX-License-Identifier: Apache-2.0
// One window per user and display: a second program hands its files to the first one and ends. They connect through a
// Unix socket in a folder that only this user can access (app/presentation/channel.h), and each side checks that the
// other belongs to the same user. A lock beside the socket is released when its process ends, so that the next start
// replaces what a crash left. Files arrive on a thread of this class.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "engine/core/descriptor.h"
#include "engine/core/file_guard.h"
#include "engine/core/result.h"

namespace sepx::app {

class Instance {
 public:
  /// Receives absolute paths. If there are none, the window only comes to the front. Called on the thread of this
  /// class.
  using Receive = std::function<void(std::vector<std::string> files)>;

  /// The socket of this user for the display $DISPLAY; empty where there is no folder for it.
  static std::string defaultSocketPath();
  /// True when another program at `place`, or at one of its otherSockets() (app/presentation/channel.h), took the
  /// files; this program is then not needed. False when there is none, or none answers within two seconds.
  static bool sendFiles(const std::string& place, const std::vector<std::string>& files);
  /// From now on, later programs hand their files to this one. Null when the place is taken or empty, or sockets are
  /// not available: the program works without this. A client that has not sent everything within two seconds is
  /// ignored, and so is one that does not belong to `owner`.
  static std::unique_ptr<Instance> listen(const std::string& place, Receive receive, uid_t owner = ::getuid());
  /// Does not wait for a client that is still sending.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

 private:
  static bool sendFilesTo(const std::string& place, const std::vector<std::string>& files);
  Instance(std::string place, FileLock lock, Descriptor socket, Descriptor wake, Receive receive, uid_t owner);
  void serve();
  void take(int client) const;
  std::optional<std::string> readAll(int client) const;

  const std::string place_;
  FileLock lock_;
  Descriptor socket_, wake_;
  Receive receive_;
  const uid_t owner_;
  std::thread thread_;
};

}  // namespace sepx::app
