// SPDX-License-Identifier: Apache-2.0
// The run that the own config was copied from: a copy begins from initial weights of its own, a branch from a saved
// step of that run. Frame thread.
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
  /// Which run and step the document names (training.own.parent, training.own.parent_step).
  void read(const Document& document);
  /// Opens that run; true: what is known of it changed. `runs` may be null.
  bool update(Runs* runs);

  /// The document names a run.
  bool named() const { return !folder_.empty(); }
  bool branches() const { return run_ && step_ >= 0; }
  const std::string& folder() const { return folder_; }
  std::int64_t step() const { return step_; }
  /// Of the run; its folder while it is not read.
  std::string name() const { return run_ ? run_->name() : folder_; }
  /// Null: not read.
  const train::RunConfig* config() const { return run_ && run_->config() ? &*run_->config() : nullptr; }

  /// Why no branch can begin with this config, one sentence; empty: one can, or none is asked for.
  std::string problem(const train::RunConfig& config) const;
  /// A document with the fields of that run, where it names the run and nothing else. Nothing: it has fields of its
  /// own.
  std::optional<Document> takenOver(const Document& document, const RaceShared& shared) const;
  /// What the page says of it where there is no `problem` as above; `initial`: the config has other initial weights
  /// than that run.
  std::vector<std::string> lines(const std::string& problem, bool initial) const;

 private:
  std::string folder_;  ///< absolute; empty: none
  std::int64_t step_ = -1;
  RunPointer run_;  ///< once it is open
  std::uint64_t seen_ = 0;
};

}  // namespace sepx::ui
