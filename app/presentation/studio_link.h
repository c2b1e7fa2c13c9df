// SPDX-License-Identifier: Apache-2.0
// The studio's end of the link to the stage. Listens at a private socket, sends what the studio shows to the one
// connected stage, and receives what the stage has drawn. The frame thread passes in the latest state and takes events;
// it never locks or blocks. A state that is not sent yet when a newer one arrives is skipped. A stage that ends,
// violates the protocol or does not say hello within kHelloTimeout is disconnected, and the next stage receives
// everything again. A stage that stops reading is sent nothing more, but stays connected until its process ends.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/presentation/channel.h"
#include "app/presentation/event_queue.h"
#include "engine/core/exchange.h"
#include "engine/core/file_guard.h"

namespace sepx::app {

class StudioLink {
 public:
  struct Event {
    enum class Kind { Connected, Disconnected, NotSent, Key, Drawn } kind = Kind::Disconnected;
    HelloMessage hello{};      ///< Connected
    std::string sentence{};    ///< Gone: why; empty: it ended. NotSent: why; the stage keeps what it shows
    RemoteKey key{};           ///< Key
    std::uint64_t number = 0;  ///< Drawn: number of the state
    double latency = 0;        ///< Drawn: seconds from the frame of the studio to the picture of the stage
  };

  /// `wake`: called on the thread of this class when next() has something. OutputFailed with one sentence if the socket
  /// cannot be created or another window of this user presents on this display.
  static Result<std::unique_ptr<StudioLink>> listen(const std::string& path, std::function<void()> wake);
  /// Says goodbye: the stage keeps its picture and waits, unless endStage() was called.
  ~StudioLink();
  StudioLink(const StudioLink&) = delete;
  StudioLink& operator=(const StudioLink&) = delete;

  /// Frame thread. `begun`: start of the frame that shows it, CLOCK_MONOTONIC nanoseconds.
  void show(ui::Presented shown, std::int64_t begun);
  /// Frame thread.
  std::optional<Event> next() { return events_.pop(); }
  static constexpr std::chrono::seconds kHelloTimeout{3};
  /// Makes the stage end together with this link.
  void endStage() { endsStage_ = true; }
  /// Whether a running stage follows this socket.
  static bool stageWaits(const std::string& path);
  const std::string& path() const { return path_; }

 private:
  struct State {
    ui::Presented shown;
    std::uint64_t number = 0;
    std::int64_t time = 0;
  };

  StudioLink(std::string path, FileLock lock, Descriptor socket, Descriptor waker, std::function<void()> wake);
  void serve();
  void accept();
  void receiveMessages();
  void take(const LinkMessage& message);
  void sendLatest();
  void reportNotSent(const std::string& sentence);
  void drop(const std::string& sentence);
  void pushEvent(Event event);
  /// Timeout for poll() in milliseconds; negative: none.
  int pollTimeout() const;

  std::string path_;
  FileLock lock_;
  Descriptor socket_, waker_;
  std::function<void()> wake_;
  std::atomic<bool> ends_{false}, endsStage_{false};
  Exchange<State> states_;
  std::uint64_t number_ = 0;  ///< frame thread
  static constexpr std::size_t kEvents = 256;
  EventQueue<Event, kEvents> events_;
  // Used only by the thread of this class.
  std::optional<Channel> stage_;
  std::chrono::steady_clock::time_point accepted_{};
  bool helloReceived_ = false;         ///< its hello has arrived
  bool any_ = false;                   ///< there is a state
  std::optional<std::uint64_t> sent_;  ///< number of the state that was sent last
  ui::Document sentDocument_;
  LiveSender live_;
  std::uint64_t notSent_ = 0;  ///< number of the newest state if it cannot be sent, else 0
  static constexpr std::size_t kTimes = 64;
  std::array<std::pair<std::uint64_t, std::int64_t>, kTimes> times_{};  ///< of sent states, index: number % kTimes
  std::thread thread_;                                                  ///< last: it uses all of the above
};

/// Paths of the lock files of a socket. A stage holds stageLock() while it follows the socket, so that no second stage
/// is started. A studio holds studioLock(), so that no second studio listens.
std::string stageLock(const std::string& socket);
std::string studioLock(const std::string& socket);

}  // namespace sepx::app
