// SPDX-License-Identifier: Apache-2.0
// Playback with moving heads. All points share one clock in the flow's own time, scaled so that the slowest point takes
// about eight seconds. Where backward paths are shown, the heads start on them, before time 0. The clock follows the
// host's time (simulated under a script). Frame thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace sepx::ui {

/// The interval of flow time in which there is visible movement.
struct TimeSpan {
  double begin = 0, end = 0;
  bool operator==(const TimeSpan&) const = default;
};

class FlowPlay {
 public:
  static constexpr double kSeconds = 8;  ///< duration of the slowest path at speed 1

  /// Starts, pauses or resumes; starts from the beginning after the end was reached.
  void toggle();
  /// Advances the clock to the host time `seconds`; the heads move through `span`.
  void update(const TimeSpan& span, double speed, double seconds);
  /// Stops the heads at a time.
  void seek(double time);
  /// Moves the heads by `steps` steps of 1/50 of `span`; backwards if `steps` is negative.
  void step(const TimeSpan& span, int steps);

  bool active() const { return active_; }
  /// Whether this playback is running, or that of another page in view that has its own.
  bool anywhere() const { return active_ || (elsewhere && elsewhere()); }
  std::function<bool()> elsewhere;
  double time() const { return time_; }
  /// The time of the heads; empty while they are not shown.
  std::optional<double> headTime() const { return shown_ ? std::optional<double>(time_) : std::nullopt; }

 private:
  bool active_ = false, shown_ = false;
  bool fresh_ = false;  ///< starts from the beginning with the next update
  double time_ = 0;
  std::optional<double> last_;  ///< host time of the last update while active
};

inline void FlowPlay::toggle() {
  if (active_) {
    active_ = false;
    return;
  }
  if (!shown_) fresh_ = true;
  active_ = shown_ = true;
  last_.reset();
}

inline void FlowPlay::update(const TimeSpan& span, double speed, double seconds) {
  if (!active_) return;
  if (std::exchange(fresh_, false)) time_ = span.begin;
  if (last_) time_ += std::max(0.0, seconds - *last_) * speed * (span.end - span.begin) / kSeconds;
  last_ = seconds;
  if (time_ < span.end) return;
  time_ = span.end;
  active_ = shown_ = false;
}

inline void FlowPlay::seek(double time) {
  active_ = fresh_ = false;
  shown_ = true;
  time_ = time;
}

inline void FlowPlay::step(const TimeSpan& span, int steps) {
  constexpr double kSteps = 50;
  const double from = shown_ ? time_ : steps > 0 ? span.begin : span.end;
  seek(std::clamp(from + steps * (span.end - span.begin) / kSteps, span.begin, span.end));
}

}  // namespace sepx::ui
