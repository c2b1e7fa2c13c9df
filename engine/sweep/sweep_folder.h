// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep, which any number of programs on any number of machines share:
//   plan.json        the plan, as it was first given
//   runs/0007        a run folder each (engine/train/run_store.h)
//   claims/0007.1    who trains it now (sweep_claim.h)
//   failed/0007.txt  why a run cannot be trained: one sentence
// No server and no lock of the file system. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/sweep/sweep_claim.h"

namespace sepx::sweep {

/// Stopped: nobody trains it, and a second call goes on. Stale: the same, but its program was killed. Unknown: whether
/// its program lives cannot be told now, or not from here.
enum class RunProgress { Waiting, Training, Stopped, Stale, Unknown, Finished, Failed };
inline constexpr std::size_t kProgresses = 7;
std::string_view toString(RunProgress progress);

struct RunStatus {  ///< one run as its folder has it
  std::string name;
  RunProgress progress = RunProgress::Waiting;
  std::int64_t step = 0, steps = 0;
  std::string sentence;  ///< why it failed, who trains it, or what is known of its program
};

class SweepFolder {
 public:
  /// Makes the folder with the plan's text, or opens one. Usage where it has another plan; OutputFailed.
  static Result<SweepFolder> open(const std::string& folder, const std::string& planText);
  /// Of an existing sweep; BadInput where there is none.
  static Result<SweepFolder> existing(const std::string& folder);

  const std::string& path() const { return folder_; }
  Result<std::string> planText() const;  ///< as written at the start
  std::string runFolder(const std::string& name) const { return folder_ + "/runs/" + name; }

  const Claims& claims() const { return claims_; }
  /// Written beside and renamed; an empty sentence takes it away.
  Result<void> setFailure(const std::string& name, const std::string& sentence) const;
  std::string failure(const std::string& name) const;  ///< empty: none
  /// A sentence about one of its runs, harmless and short, with the folder's files named from the folder:
  /// "runs/0007/run.sqlite: …".
  std::string within(std::string_view sentence) const;
  RunStatus status(const std::string& name) const;

 private:
  explicit SweepFolder(std::string folder) : folder_(std::move(folder)), claims_(folder_ + "/claims") {}

  std::string folder_;
  Claims claims_;
};

}  // namespace sepx::sweep
