// SPDX-License-Identifier: Apache-2.0
// Decides which program trains a run of a sweep, on a file system that machines share. A claim has generations: the
// files
//   claims/0007.1, claims/0007.2, …
// of which the last one counts. Each is written under a temporary name and then linked to its own name, which fails if
// that name is taken. So if several programs judge a claim stale, only one gets the next generation, and no program
// moves or removes a fresh claim of another. A file contains the host, the process number and its start, the boot of
// the machine and the PID namespace; an empty file is a claim that was released. While its program is alive it renews
// the file's time.
//
// Others may be able to write to the folder. So a claim is renewed and released through the file that its program
// created, which stays open, and writing follows no link in the folder.
//
// On its own machine a claim is alive while a process with this number and start exists. On another machine the lease
// counts: how long ago the file was renewed. Both times are those of the file system, so that the clocks of machines
// may differ. Assumptions on the file system: link() within a folder is atomic and fails for the second caller, and an
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
inline constexpr double kAliveSeconds = 60;             ///< renewed within this time: its program is alive
inline constexpr double kHeldSeconds = 90;              ///< not renewed for this long: its own program gives it up
inline constexpr double kStaleSeconds = 120;            ///< not renewed for this long: another program may take it over

/// Unknown: it cannot be determined now, or not from here.
enum class ClaimState { None, Alive, Unknown, Stale };
struct ClaimReading {  ///< the state of a claim
  ClaimState state = ClaimState::None;
  /// Alive: "PID on HOST"; otherwise a sentence without a full stop.
  std::string words;
};

/// A claim that is held while a run is trained. A thread of its own renews it; the destructor releases it.
class Claim {
 public:
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// If false, another program has the run now, or may have it, and nothing may be written any more. A claim that could
  /// not be renewed for kHeldSeconds (the machine slept) is first taken again.
  bool held();
  /// Called by the thread every kRenewEvery.
  void renew();
  /// Acts as if the claim could not be renewed for this time (tests).
  void age(double seconds) { renewed_ = renewed_ - seconds; }
  /// The run needs no claim any more: the destructor removes the files of this and earlier generations.
  void finish() { finished_ = true; }

 private:
  friend class Claims;
  Claim(std::string base, int generation, Descriptor file);
  bool fresh() const;
  std::mutex mutex_;  ///< for renew(): the training thread and thread_ call it
  const std::string base_;
  int generation_;
  Descriptor file_;  ///< of this generation
  bool finished_ = false;
  std::atomic<bool> lost_{false};
  std::atomic<double> renewed_;  ///< seconds of a clock that does not stop while the machine sleeps
  std::jthread thread_;
};

/// The claims in a folder.
class Claims {
 public:
  explicit Claims(std::string folder) : folder_(std::move(folder)), clock_(std::make_shared<Clock>()) {}

  /// Takes the claim of a run. Null if another program has it, or if this cannot be determined. Fails with OutputFailed
  /// if no file can be created. `judged` is called after the present claim is judged and before the next generation is
  /// taken (tests).
  Result<std::unique_ptr<Claim>> take(const std::string& name, const std::function<void()>& judged = {}) const;
  ClaimReading read(const std::string& name) const;

 private:
  /// The file system's time, measured with a temporary file and extrapolated from that for some seconds.
  struct Clock {
    std::mutex mutex;
    std::optional<double> offset;  ///< to the monotonic clock of this machine
    double asked = 0;
  };
  std::optional<double> now() const;
  ClaimReading judge(const std::string& path) const;
  std::string base(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace sepx::sweep
