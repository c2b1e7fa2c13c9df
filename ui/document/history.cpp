// SPDX-License-Identifier: Apache-2.0
// A step stores the document that it restores: undo restores past_.back(), redo restores future_.back(). Frame thread
// only.
#include "ui/document/history.h"

#include <utility>
#include <vector>

namespace sepx::ui {

History::History(Document initial) : present_(std::move(initial)) {}

void History::commit(Document next, std::string label, std::string group) {
  if (next == present_) return;
  const bool continues = !group.empty() && group == group_ && !past_.empty();
  if (!continues) past_.push_back({present_, std::move(label), mark_});
  future_.clear();
  group_ = std::move(group);
  if (continues && next.equalExcept(past_.back().document, carried_)) {
    // A group that returns to where it began is not a step.
    past_.pop_back();
    seal();
  }
  present_ = std::move(next);
  ++revision_;
}

void History::replace(Document next) {
  if (next == present_) return;
  present_ = std::move(next);
  ++revision_;
}

void History::seal() {
  group_.clear();
}

bool History::move(std::vector<Step>& from, std::vector<Step>& to) {
  if (from.empty()) return false;
  seal();
  Step step = std::move(from.back());
  from.pop_back();
  Document there = carry(std::move(step.document));
  to.push_back({std::exchange(present_, std::move(there)), std::move(step.label), std::exchange(mark_, step.mark)});
  ++revision_;
  return true;
}

bool History::undo() {
  return move(past_, future_);
}

bool History::redo() {
  return move(future_, past_);
}

std::optional<std::string> History::undoLabel() const {
  if (past_.empty()) return std::nullopt;
  return past_.back().label;
}

std::optional<std::string> History::redoLabel() const {
  if (future_.empty()) return std::nullopt;
  return future_.back().label;
}

void History::collapse(std::size_t depth, const std::string& label) {
  seal();
  if (past_.size() <= depth) return;
  past_.erase(past_.begin() + static_cast<std::ptrdiff_t>(depth) + 1, past_.end());
  past_.back().label = label;
  future_.clear();
  if (past_.back().document == present_) past_.pop_back();
}

void History::forget() {
  seal();
  past_.clear();
  future_.clear();
  ++begun_;
}

void History::reset(Document initial) {
  present_ = std::move(initial);
  past_.clear();
  future_.clear();
  group_.clear();
  mark_ = 0;
  ++revision_;
  ++begun_;
}

Document History::carry(Document snapshot) const {
  for (const std::string& path : carried_)
    snapshot = snapshot.withPartOf(present_, path);
  return snapshot;
}

}  // namespace sepx::ui
