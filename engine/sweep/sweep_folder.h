// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep, which any number of programs on any number of machines share:
//   plan.json        the plan, as it was first given
//   runs/0007        a run folder each (engine/train/run_store.h)
//   claims/0007      who trains it now; its time is renewed while that program lives
//   failed/0007.txt  why a run cannot be trained: one sentence
// No server and no lock of the file system. A claim is a file that is written beside and then linked to its name, which
// fails where it is there: link() and rename() are atomic on NFS too. A claim is stale when its program on this machine
// is gone, or when another machine has not renewed it for kStaleSeconds by the clock of the file system. It is then
// renamed away, which one of those who try can do. Assumed of the file system: atomic link and rename within a folder,
// and times that move on with at most half a minute of delay. Any thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/sweep/sweep_plan.h"

namespace sepx::sweep {

inline constexpr double kStaleSeconds = 120;
inline constexpr std::chrono::seconds kRenewEvery{20};

/// Held while a run is trained; gone with this object.
class Claim {
 public:
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  /// Call at least every kRenewEvery.
  void renew() const;

 private:
  friend class SweepFolder;
  explicit Claim(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Stopped: nobody trains it, and a second call goes on. Stale: the same, but its program was killed.
enum class RunProgress { Waiting, Training, Stopped, Stale, Finished, Failed };
inline constexpr std::size_t kProgresses = 6;
std::string_view word(RunProgress progress);

/// What is said of a stale run whose holder is known.
std::string lostSentence(const std::string& holder);

struct RunStatus {
  std::string name;
  RunProgress progress = RunProgress::Waiting;
  std::int64_t step = 0, steps = 0;
  std::string sentence;  ///< why it failed, who trains it, or whose claim was left
};

class SweepFolder {
 public:
  /// Makes the folder with the plan's text, or opens one. Usage where it has another plan; OutputFailed.
  static Result<SweepFolder> open(const std::string& folder, const std::string& planText);
  /// Of an existing sweep; BadInput where there is none.
  static Result<SweepFolder> existing(const std::string& folder);

  const std::string& path() const { return folder_; }
  Result<std::string> planText() const;
  std::string runFolder(const std::string& name) const { return folder_ + "/runs/" + name; }

  /// Null: somebody else trains it now. OutputFailed: the disk is full, or the folder not writable.
  Result<std::unique_ptr<Claim>> claim(const std::string& name) const;
  /// "PID on HOST"; empty: nobody.
  std::string holder(const std::string& name) const;
  /// "PID on HOST" of a claim that a killed program left; empty: there is none.
  std::string lostHolder(const std::string& name) const;
  /// Written beside and renamed; an empty sentence takes it away.
  Result<void> setFailure(const std::string& name, const std::string& sentence) const;
  std::string failure(const std::string& name) const;  ///< empty: none
  RunStatus status(const std::string& name) const;

 private:
  explicit SweepFolder(std::string folder) : folder_(std::move(folder)) {}
  std::string claimPath(const std::string& name) const { return folder_ + "/claims/" + name; }
  bool stale(const std::string& path) const;

  std::string folder_;
};

}  // namespace sepx::sweep
