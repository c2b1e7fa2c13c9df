// SPDX-License-Identifier: Apache-2.0
// The runs below a folder, as summaries. A database of the cache keeps them, so that only runs that have changed are
// read again. Tags and notes are in a file of the run's folder and go where it goes. Any thread; one writer of a cache
// at a time.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/train/run_summary.h"

namespace sepx::train {

struct LibraryOptions {        ///< of one reading
  std::string cache = {};      ///< a file, made when it is missing; empty: none
  RunList known = {};          ///< what was read last, in place of what the cache has
  ThreadPool* pool = nullptr;  ///< null: one thread reads
  /// Called now and then with those that are known, soon with the first of them; false ends it.
  std::function<bool(const RunList&)> progress = {};
};

/// All runs below a folder, in the order of findRuns(); folders there that cannot be read have a failure. Of those that
/// are new the newest are read first. Runs that nobody changed since they were read last cost a look at their files
/// and, of `known`, are the same objects.
RunList readLibrary(const std::string& folder, const LibraryOptions& options = {});

/// Empty where there are none; BadInput where the file is none of ours.
Result<RunNotes> readNotes(const std::string& folder);
/// OutputFailed with path and reason.
Result<void> writeNotes(const std::string& folder, const RunNotes& notes);
/// A person opened or branched it now: RunSummary::used. The time of a file in its folder keeps it; nothing is kept of
/// a folder that cannot be written, or is no run.
void noteUse(const std::string& folder);
/// "a, b , a" as {"a", "b"}.
std::vector<std::string> tagsOf(std::string_view text);

/// A value of a config as a library keeps it: a number, a text, "true", a list as "a, b".
RunValue runValueOf(const nlohmann::ordered_json& json);

/// $XDG_CACHE_HOME/separatrix/library.sqlite
std::string defaultLibraryCache();

}  // namespace sepx::train
