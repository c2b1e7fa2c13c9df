// SPDX-License-Identifier: Apache-2.0
// What a library of runs shows of each without opening it: its record, its last numbers, tags and notes of the person.
// A database of the cache keeps them, so that only runs that have changed are read again. Tags and notes are in a file
// of the run's folder and go where it goes. Any thread; one writer of a cache at a time.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/train/run_store.h"

namespace sepx::train {

struct RunNotes {
  std::vector<std::string> tags;  ///< each once, in the person's order
  std::string notes;
  bool operator==(const RunNotes&) const = default;
};

struct RunSummary {
  std::string folder;
  RunRecord record;
  bool alive = false;   ///< a program trains in it now
  bool killed = false;  ///< unfinished, and nobody trains in it: its record says otherwise
  double loss = std::numeric_limits<double>::quiet_NaN();  ///< the last, as those below; NaN: none
  double validation = std::numeric_limits<double>::quiet_NaN();
  double symmetry = std::numeric_limits<double>::quiet_NaN();  ///< median over the layers
  RunNotes own;
  std::string failure;  ///< why it cannot be read; most of the rest is then empty
};

/// All runs below a folder, in the order of findRuns(). `cache`: a file, made when it is missing; empty: none.
/// `progress` is called now and then with those that are known; false ends it. Runs that nobody changed since they were
/// read last cost a look at their files.
std::vector<RunSummary> readLibrary(const std::string& folder, const std::string& cache,
                                    const std::function<bool(const std::vector<RunSummary>&)>& progress = {});

/// Empty where there are none; BadInput where the file is none of ours.
Result<RunNotes> readNotes(const std::string& folder);
/// OutputFailed with path and reason.
Result<void> writeNotes(const std::string& folder, const RunNotes& notes);

/// $XDG_CACHE_HOME/separatrix/library.sqlite
std::string defaultLibraryCache();

}  // namespace sepx::train
