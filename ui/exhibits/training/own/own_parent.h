// SPDX-License-Identifier: Apache-2.0
// The run that the own config was copied from. A copy starts from its own initial weights, a branch from a saved step
// of that run. Frame thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

class OwnParent {
 public:
  /// Reads which run and step the document names (training.own.parent, training.own.parent_step).
  void read(const Document& document);
  /// Opens that run. Returns whether its known state changed. `runs` may be null.
  bool update(Runs* runs);

  /// Whether the document names a run.
  bool named() const { return !folder_.empty(); }
  bool branches() const { return run_ && step_ >= 0; }
  const std::string& folder() const { return folder_; }
  std::int64_t step() const { return step_; }
  /// The name of the run; its folder until the run is open.
  std::string name() const { return run_ ? run_->name() : folder_; }
  /// The config of the run; null: not read yet.
  const train::RunConfig* config() const { return run_ && run_->config() ? &*run_->config() : nullptr; }

  /// Why no branch can start with this config, one sentence. Empty: one can, or no branch is requested.
  std::string problem(const train::RunConfig& config) const;
  /// The document with the fields of that run, if it names the run and nothing else. Empty optional if it has fields of
  /// its own or the run is not read yet.
  std::optional<Document> withParentConfig(const Document& document, const RaceShared& shared) const;
  /// The lines of the page about that run. `problem`: why no branch can start. `initial`: the config has other initial
  /// weights than that run.
  std::vector<std::string> lines(const std::string& problem, bool initial) const;

 private:
  std::string folder_;  ///< absolute; empty: none
  std::int64_t step_ = -1;
  RunPointer run_;  ///< null until it is open
  std::uint64_t seen_ = 0;
};

}  // namespace sepx::ui
