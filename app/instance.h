// SPDX-License-Identifier: Apache-2.0
// One window for a person and a display: a program that starts second hands its files to the first and ends. They meet
// at an abstract Unix socket, whose name goes away with its process, so that nothing stale is left after a crash; each
// side checks that the other belongs to the same user. Files arrive on a thread of this class.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx::app {

class Instance {
 public:
  /// Absolute paths, possibly none: then the window is only to come to the front. Called on the thread of this class.
  using Receive = std::function<void(std::vector<std::string> files)>;

  /// The meeting place of this user on the display of $DISPLAY.
  static std::string meetingPlace();
  /// True when another program at `place` took the files: this one is not needed. False when there is none, or it does
  /// not answer within two seconds.
  static bool handOver(const std::string& place, const std::vector<std::string>& files);
  /// From now on later programs hand their files to this one. Nothing when the place is taken or there are no sockets:
  /// the program works without. A program that has not said all within two seconds is left alone.
  static std::unique_ptr<Instance> listen(const std::string& place, Receive receive);
  /// Waits for no program that is being heard.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

 private:
  Instance(Descriptor socket, Descriptor wake, Receive receive);
  void serve();
  void take(int client) const;
  std::optional<std::string> readAll(int client) const;

  Descriptor socket_, wake_;
  Receive receive_;
  std::thread thread_;
};

}  // namespace sepx::app
