// SPDX-License-Identifier: Apache-2.0
// Undo and redo by snapshots of the document, unlimited and named. Consecutive changes with the same non-empty `group`
// and no seal() between them are one step (a slider while it moves). Paths that are not undoable (the camera) keep
// their present values when a snapshot is restored. Frame thread only.
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

  /// Makes `next` the present. `label` names the step ("move point 3").
  void commit(Document next, std::string label, std::string group = {});
  /// Replaces the present without adding a step, for changes that are not undoable.
  void replace(Document next);
  /// Ends the group: the next commit is a step of its own.
  void seal();

  bool undo();
  bool redo();
  std::optional<std::string> undoLabel() const;
  std::optional<std::string> redoLabel() const;
  std::size_t undoSteps() const { return past_.size(); }
  std::size_t redoSteps() const { return future_.size(); }
  /// The document that repeated undo ends with.
  const Document& beginning() const { return past_.empty() ? present_ : past_.front().document; }
  /// Increases whenever another history begins: with reset() and forget().
  std::uint64_t begun() const { return begun_; }

  /// Merges all steps after the first `depth` into one step named `label`, and drops the redo steps.
  void collapse(std::size_t depth, const std::string& label);
  /// Drops all undo and redo steps: the present becomes the beginning of the history.
  void forget();

  /// A number that is stored with the present document and restored with it: the step of a lesson that was shown.
  int mark() const { return mark_; }
  void setMark(int mark) { mark_ = mark; }

  /// Whether `other` differs from the present at the carried paths only, which undo does not change.
  bool matches(const Document& other) const { return carry(other) == present_; }

  /// Paths that undo does not change: member names joined by dots.
  void setCarriedPaths(std::vector<std::string> paths) { carried_ = std::move(paths); }

  /// Starts a new history with `initial` (an opened file): no undo and no redo steps.
  void reset(Document initial);

 private:
  struct Step {
    Document document;
    std::string label;
    int mark = 0;
  };
  /// Makes the last step of `from` the present and appends the previous present to `to`.
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
