// SPDX-License-Identifier: Apache-2.0
// The stage's end of the link to the studio. Connects to the studio's socket, with retries while no studio is there,
// and keeps the state that the studio shows. The frame thread takes the latest state and reports what it has drawn; it
// never locks or blocks. Lessons are read on the thread of this class.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/presentation/channel.h"
#include "app/presentation/event_queue.h"
#include "engine/core/exchange.h"
#include "engine/core/file_guard.h"
#include "ui/document/lesson.h"

namespace sepx::app {

class StageLink {
 public:
  struct State {
    ui::Presented shown;
    std::shared_ptr<const ui::Lesson> lesson;  ///< of shown.lesson; null: none, or it cannot be read
    std::string lessonError{};                 ///< why shown.lesson cannot be read, one sentence; empty: no error
    std::uint64_t number = 0;
  };
  struct Event {
    enum class Kind { Connected, Disconnected, EndRequested } kind = Kind::Disconnected;
    std::string sentence{};  ///< Gone: why; empty: the studio ended
  };

  /// `wake`: called on the thread of this class when there is something new. Null if the system cannot create an
  /// eventfd.
  static std::unique_ptr<StageLink> follow(const std::string& path, HelloMessage hello, std::function<void()> wake);
  ~StageLink();  ///< says goodbye
  StageLink(const StageLink&) = delete;
  StageLink& operator=(const StageLink&) = delete;

  // Frame thread.
  bool refresh() { return states_.refresh(); }
  const State& latest() const { return states_.latest(); }
  std::optional<Event> next();
  void send(const LinkMessage& message);

 private:
  StageLink(std::string path, HelloMessage hello, Descriptor waker, std::function<void()> wake);
  void serve();
  void tryConnect();
  void receiveMessages();
  void take(LinkMessage message);
  void takeState(StateMessage message);
  void readLesson(const std::string& path);
  void drop(const std::string& sentence);
  void pushEvent(Event event);

  std::string path_;
  HelloMessage hello_;
  Descriptor waker_;
  std::function<void()> wake_;
  std::atomic<bool> ends_{false};
  Exchange<State> states_;
  EventQueue<Event, 64> events_;
  EventQueue<LinkMessage, 256> outgoing_;
  // Used only by the thread of this class.
  std::optional<FileLock> lock_;
  std::optional<Channel> studio_;
  std::chrono::steady_clock::time_point lastAttempt_{};  ///< last attempt to connect; after a refusal, a later time
  bool helloReceived_ = false, any_ = false;
  ui::Document document_;
  LiveReceiver live_;
  /// Identifies the content of a file at the time when it was read.
  struct Stamp {
    std::int64_t size = -1, seconds = 0, nanoseconds = 0;  ///< size -1: no file
    std::uint64_t node = 0;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stampOf(const std::string& path);
  std::string lessonPath_, lessonError_, reportedError_;
  Stamp lessonStamp_;
  std::shared_ptr<const ui::Lesson> lesson_;
  std::thread thread_;
};

}  // namespace sepx::app
