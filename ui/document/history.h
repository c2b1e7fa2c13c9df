// SPDX-License-Identifier: Apache-2.0
// Undo and redo by snapshots of the document, unlimited and named. Changes with the same non-empty `group` that follow
// each other without seal() are one step (a slider while it moves). Paths that are not undoable (the camera) are
// carried over from the present when a snapshot comes back. Frame thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/document/document.h"

namespace sepx::ui {

class History {
 public:
  explicit History(Document initial = {});

  const Document& present() const { return present_; }
  /// Increases with every change of the present, also by undo: cheap to compare.
  std::uint64_t revision() const { return revision_; }

  /// A new present. `label` names the step ("move point 3").
  void commit(Document next, std::string label, std::string group = {});
  /// Replaces the present without a step: what is not undoable.
  void replace(Document next);
  /// Ends the group: the next commit is a step of its own.
  void seal();

  bool undo();
  bool redo();
  std::optional<std::string> undoLabel() const;
  std::optional<std::string> redoLabel() const;
  std::size_t undoSteps() const { return past_.size(); }
  std::size_t redoSteps() const { return future_.size(); }
  /// What undo ends with.
  const Document& beginning() const { return past_.empty() ? present_ : past_.front().document; }
  /// Increases whenever another history begins: with reset() and forget().
  std::uint64_t begun() const { return begun_; }

  /// Makes one step named `label` of all that came after the first `depth` steps; what it undid is gone.
  void collapse(std::size_t depth, const std::string& label);
  /// Forgets what could be undone: the present is where a person begins.
  void forget();

  /// A number that goes with the present document and comes back with it: which step of a lesson was shown.
  int mark() const { return mark_; }
  void setMark(int mark) { mark_ = mark; }

  /// Whether `other` differs from the present in nothing but what undo leaves alone.
  bool matches(const Document& other) const { return carry(other) == present_; }

  /// Top-level paths that undo leaves as they are.
  void setCarriedPaths(std::vector<std::string> paths) { carried_ = std::move(paths); }

  /// A fresh document (opened file): no past, no future.
  void reset(Document initial);

 private:
  struct Step {
    Document document;
    std::string label;
    int mark = 0;
  };
  /// Makes the last step of `from` the present, and the present one of `to`.
  bool move(std::vector<Step>& from, std::vector<Step>& to);
  Document carry(Document snapshot) const;

  Document present_;
  std::uint64_t revision_ = 0, begun_ = 0;
  std::vector<Step> past_, future_;
  std::string group_;
  int mark_ = 0;
  std::vector<std::string> carried_;
};

}  // namespace sepx::ui
