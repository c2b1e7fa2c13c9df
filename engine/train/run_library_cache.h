// SPDX-License-Identifier: Apache-2.0
// Caches summaries of runs in a database, because a row is read in microseconds, while the configs of a thousand runs
// are megabytes. Everything in it can be rebuilt, so a cache that is damaged or cannot be written is not a failure. A
// damaged file is recreated when it is found. The file is left as it is if another program has it locked or the disk is
// full. Private to the library of runs. One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/train/run_store_database.h"
#include "engine/train/run_summary.h"

namespace sepx::train {

/// Tags and notes as the text of a run's notes file.
std::string textOf(const RunNotes& notes);
/// Parses that text. The message of an error does not name the file.
Result<RunNotes> notesOf(const std::string& text);

using CachedRuns = std::map<std::string, std::shared_ptr<const RunSummary>, std::less<>>;  ///< by folder

class LibraryCache {  ///< the cache of summaries
 public:
  /// An empty path disables the cache.
  explicit LibraryCache(const std::string& path);
  /// The runs below a folder, without what is determined again each time: the values of their configs, the time of
  /// their last use, and whether they are alive.
  Result<CachedRuns> read(const std::string& folder);
  /// `before`: the result of read(). Runs that are no longer in `now` are removed.
  Result<void> write(const CachedRuns& before, const CachedRuns& now);

 private:
  Result<void> open();
  void renew();
  Result<CachedRuns> rows(const std::string& folder) const;
  Result<void> change(const CachedRuns& before, const CachedRuns& now) const;

  std::string path_;
  std::unique_ptr<Database> database_;
};

}  // namespace sepx::train
