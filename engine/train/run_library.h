// SPDX-License-Identifier: Apache-2.0
// Reads the runs below a folder as summaries. A database in the cache keeps them, so that only runs that have changed
// are read again. Tags and notes are in a file in the run's folder and move with it. Any thread; one writer of a cache
// at a time.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/train/run_summary.h"

namespace sepx::train {

struct LibraryOptions {        ///< of one call of readLibrary()
  std::string cache = {};      ///< a file, created if missing; empty: no cache
  RunList known = {};          ///< the result of the last reading, used instead of the cache
  ThreadPool* pool = nullptr;  ///< null: only the calling thread reads
  /// Called from time to time with the runs known so far, for the first time soon. Returning false ends the reading.
  std::function<bool(const RunList&)> progress = {};
};

/// All runs below a folder, in the order of findRuns(). Folders that cannot be read have a failure. The newest of the
/// new runs are read first. For a run that has not changed since it was last read only the status of its files is
/// checked, and if it is in `known`, the result contains the same object.
RunList readLibrary(const std::string& folder, const LibraryOptions& options = {});

/// Empty if there are none. Fails with BadInput if the file is not one of this program.
Result<RunNotes> readNotes(const std::string& folder);
/// Fails with OutputFailed (path and reason).
Result<void> writeNotes(const std::string& folder, const RunNotes& notes);
/// Records that a person opened or branched the run now (RunSummary::used), as the modification time of a file in its
/// folder. No-op if the folder cannot be written or is not a run.
void noteUse(const std::string& folder);
/// Splits a list of tags and removes duplicates: "a, b , a" gives {"a", "b"}.
std::vector<std::string> tagsOf(std::string_view text);

/// A value of a config as a library keeps it: a number, a text, "true", or a list as "a, b".
RunValue runValueOf(const nlohmann::ordered_json& json);

/// $XDG_CACHE_HOME/separatrix/library.sqlite
std::string defaultLibraryCache();

}  // namespace sepx::train
