// SPDX-License-Identifier: Apache-2.0
// Summaries of runs in a database of their own: a row is read in microseconds, the configs of a thousand runs are
// megabytes. All of it can be made again, so that what is damaged or cannot be written is not a failure. Private to the
// library of runs. What is damaged is made anew where it is found; what another program keeps locked, and a disk that
// is full, leave the file as it is. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_summary.h"

namespace sepx::train {

/// Tags and notes as the file of a run holds them.
std::string textOf(const RunNotes& notes);
/// The sentence has no file's name.
Result<RunNotes> notesOf(const std::string& text);

using KeptRuns = std::map<std::string, std::shared_ptr<const RunSummary>, std::less<>>;  ///< by folder

class LibraryCache {  ///< summaries that were read before
 public:
  /// Empty: none.
  explicit LibraryCache(const std::string& path);
  /// Those below a folder, without the values of their configs and without what is asked of the system each time.
  Result<KeptRuns> read(const std::string& folder);
  /// `before`: what read() gave; what is no longer there goes.
  Result<void> write(const KeptRuns& before, const KeptRuns& now);

 private:
  Result<void> open();
  void renew();
  Result<KeptRuns> rows(const std::string& folder) const;
  Result<void> change(const KeptRuns& before, const KeptRuns& now) const;

  std::string path_;
  std::unique_ptr<Database> database_;
};

}  // namespace sepx::train
