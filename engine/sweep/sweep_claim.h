// SPDX-License-Identifier: Apache-2.0
// Which program trains a run of a sweep, on a file system that machines share. A claim has generations: the files
//   claims/0007.1, claims/0007.2, …
// of which the last one counts. Each is written beside and then linked to its name, which fails where the name is
// taken: of several programs that judge one claim stale, one gets the next generation, and no fresh claim is ever moved
// or removed by somebody else. A file names host, process, start of the process, boot of the machine and name space of
// process numbers; an empty file is a claim that was given back. While its program lives it renews the file's time.
//
// Others may be able to write the folder: a claim is renewed and given back through the file that its program made,
// which stays open, and no link in the folder is followed to write.
//
// Judged on its own machine a claim is alive while the process of that number and start is there. Judged from elsewhere
// the lease counts: how long ago the file was renewed, both times being the file system's own, so that clocks of
// machines may differ. Assumed of the file system: link() within a folder is atomic and fails for the second, and an
// opened file shows the time that another machine set at most kStaleSeconds - kAliveSeconds late. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx::sweep {

inline constexpr std::chrono::seconds kRenewEvery{20};  ///< while a run is trained
inline constexpr double kAliveSeconds = 60;             ///< renewed within: its program lives
inline constexpr double kHeldSeconds = 90;    ///< its own program gives a claim up that it could not renew for so long
inline constexpr double kStaleSeconds = 120;  ///< not renewed for so long: another program may take it over

/// Unknown: it cannot be told now, or not from here.
enum class ClaimState { None, Alive, Unknown, Stale };
struct ClaimReading {  ///< what a claim file says
  ClaimState state = ClaimState::None;
  /// Alive: "PID on HOST"; else a sentence without its end.
  std::string words;
};

/// Held while a run is trained, and renewed by a thread of its own; given back with this object.
class Claim {
 public:
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// False: another program has the run now, or may have it: nothing may be written any more. A claim that could not be
  /// renewed for kHeldSeconds (the machine slept) is taken anew first.
  bool held();
  /// The thread calls it every kRenewEvery.
  void renew();
  /// As after a time in which it could not be renewed (tests).
  void age(double seconds) { renewed_ = renewed_ - seconds; }
  /// The run needs no claim any more: the files of this and earlier generations go.
  void finish() { finished_ = true; }

 private:
  friend class Claims;
  Claim(std::string base, int generation, Descriptor file);
  bool fresh() const;
  std::mutex mutex_;  ///< of renew(): who trains and the thread
  const std::string base_;
  int generation_;
  Descriptor file_;  ///< of this generation
  bool finished_ = false;
  std::atomic<bool> lost_{false};
  std::atomic<double> renewed_;  ///< seconds of a clock that goes on while the machine sleeps
  std::jthread thread_;
};

/// The claims in a folder.
class Claims {
 public:
  explicit Claims(std::string folder) : folder_(std::move(folder)), clock_(std::make_shared<Clock>()) {}

  /// Null: somebody else has it, or it cannot be told. OutputFailed: no file can be made. `judged`: called between the
  /// look at the claim that is there and the step that takes the next generation (tests).
  Result<std::unique_ptr<Claim>> take(const std::string& name, const std::function<void()>& judged = {}) const;
  ClaimReading read(const std::string& name) const;

 private:
  /// The file system's time of day, asked by a file that is made for it, and reckoned from that for some seconds.
  struct Clock {
    std::mutex mutex;
    std::optional<double> offset;  ///< to the clock of this machine that only goes on
    double asked = 0;
  };
  std::optional<double> now() const;
  ClaimReading judge(const std::string& path) const;
  std::string base(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace sepx::sweep
