// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep, which any number of programs on any number of machines share:
//   plan.json        the plan, as it was first given
//   runs/0007        a folder for each run (engine/train/run_store.h)
//   claims/0007.1    which program trains it now (sweep_claim.h)
//   failed/0007.txt  why a run cannot be trained: one sentence
// Needs no server and no lock of the file system. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/sweep/sweep_claim.h"

namespace sepx::sweep {

/// Stopped: no program trains it, and a second call continues it. Stale: the same, but its program was killed. Unknown:
/// it cannot be determined now, or not from here, whether its program is alive.
enum class RunProgress { Waiting, Training, Stopped, Stale, Unknown, Finished, Failed };
inline constexpr std::size_t kProgresses = 7;
std::string_view toString(RunProgress progress);

struct RunStatus {  ///< the state of one run, from its folder
  std::string name;
  RunProgress progress = RunProgress::Waiting;
  std::int64_t step = 0, steps = 0;
  std::string sentence;  ///< why it failed, which program trains it, or what is known of its program
};

class SweepFolder {
 public:
  /// Creates the folder with the plan's text, or opens an existing one. Fails with Usage if it has another plan, or
  /// with OutputFailed.
  static Result<SweepFolder> open(const std::string& folder, const std::string& planText);
  /// Opens an existing sweep; fails with BadInput if there is none.
  static Result<SweepFolder> existing(const std::string& folder);

  const std::string& path() const { return folder_; }
  Result<std::string> planText() const;  ///< as written at the start
  std::string runFolder(const std::string& name) const { return folder_ + "/runs/" + name; }

  const Claims& claims() const { return claims_; }
  /// Written under a temporary name and renamed. An empty sentence removes the file.
  Result<void> setFailure(const std::string& name, const std::string& sentence) const;
  std::string failure(const std::string& name) const;  ///< empty: none
  /// A sentence about one of its runs, made safe for a terminal and shortened, with paths relative to the folder:
  /// "runs/0007/run.sqlite: …".
  std::string within(std::string_view sentence) const;
  RunStatus status(const std::string& name) const;

 private:
  explicit SweepFolder(std::string folder) : folder_(std::move(folder)), claims_(folder_ + "/claims") {}

  std::string folder_;
  Claims claims_;
};

}  // namespace sepx::sweep
