// SPDX-License-Identifier: Apache-2.0
// Moving heads: one clock for all points, the flow's own time, scaled so that the slowest of them takes about eight
// seconds; where the ways back are shown they start on those, before time 0. Time is the host's (simulated under a
// script). Frame thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace sepx::ui {

/// The times between which something moves that could be seen.
struct TimeSpan {
  double begin = 0, end = 0;
  bool operator==(const TimeSpan&) const = default;
};

class FlowPlay {
 public:
  static constexpr double kSeconds = 8;  ///< of the slowest path at speed 1

  /// Play, pause, play on; from the beginning once the end was reached.
  void toggle();
  /// Moves the clock to the host's time; the heads move through `span`.
  void update(const TimeSpan& span, double speed, double seconds);
  /// The heads stand still at a time.
  void seek(double time);
  /// Many of these go through all of `span`; backwards where `steps` is below 0.
  void step(const TimeSpan& span, int steps);

  bool active() const { return active_; }
  /// Whether something plays on the page in sight: here, or on another page that has a play of its own.
  bool anywhere() const { return active_ || (elsewhere && elsewhere()); }
  std::function<bool()> elsewhere;
  double time() const { return time_; }
  /// Where the heads are; nothing while they are not shown.
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
