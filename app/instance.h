// SPDX-License-Identifier: Apache-2.0
// One window for a person and a display: a program that starts second hands its files to the first and ends. They meet
// at a Unix socket in a folder for this user alone (app/presentation/channel.h), and each side checks that the other
// belongs to the same user. A lock beside the socket ends with its process, so that what a crash left there is replaced
// at the next start. Files arrive on a thread of this class.
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
  /// Absolute paths, possibly none: then the window is only to come to the front. Called on the thread of this class.
  using Receive = std::function<void(std::vector<std::string> files)>;

  /// The socket of this user for the display of $DISPLAY; empty where there is no folder for it.
  static std::string meetingPlace();
  /// True when another program at `place`, or at one of its otherSockets() (app/presentation/channel.h), took the
  /// files: this one is not needed. False when there is none, or none answers within two seconds.
  static bool handOver(const std::string& place, const std::vector<std::string>& files);
  /// From now on later programs hand their files to this one. Nothing when the place is taken or empty, or there are no
  /// sockets: the program works without. A program that has not said all within two seconds is left alone, and so is
  /// one that does not belong to `owner`.
  static std::unique_ptr<Instance> listen(const std::string& place, Receive receive, uid_t owner = ::getuid());
  /// Waits for no program that is being heard.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

 private:
  static bool handOverAt(const std::string& place, const std::vector<std::string>& files);
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
