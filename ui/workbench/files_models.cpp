// SPDX-License-Identifier: Apache-2.0
// Checkpoints that are opened: the first goes into the active pane, those that come with it stand beside it.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "ui/exhibits/model_name.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/files.h"

namespace sepx::ui {

namespace {

/// The exhibit of the pane that shows checkpoints; null: none does.
const Exhibit* takerOf(const Pane& pane) {
  const auto shows = [&pane](const auto& exhibit) { return exhibit->checkpoints(pane.document()).has_value(); };
  const auto found = std::find_if(pane.exhibits().begin(), pane.exhibits().end(), shows);
  return found == pane.exhibits().end() ? nullptr : found->get();
}

}  // namespace

/// A checkpoint goes into the active pane. It is one undo step of work that is there; an untouched window opens on it
/// as on a document of its own, with nothing to save.
Result<void> Files::takeModel(const std::string& path, OpenedModel opened) {
  model_ = std::move(opened);
  const std::string asked = std::exchange(window_.fileFor, {});
  lesson_.interrupt();
  if (!asked.empty()) {
    auto done = panes_.set(asked, path);
    window_.history.seal();
    return done;
  }
  Pane& pane = panes_.active();
  const Document& now = pane.document();
  const Exhibit* const taker = takerOf(pane);
  if (!taker) return fail(ErrorKind::Usage, path + ": " + tr("no exhibit shows checkpoints"));
  const CheckpointKeys keys = *taker->checkpoints(now);
  if (!keys.beside.empty() && taker == &pane.exhibit()) {
    window_.note(
        trFormat("{} is compared with the open model now; on any other page a checkpoint "
                 "that is opened takes its place.",
                 model_->checkpoint->title()));
    return pane.set(keys.beside, path);
  }
  if (untouched()) {
    begin(Document().with("exhibit", taker->key()).with(keys.key, path), 0);
    return {};
  }
  window_.history.seal();
  // That another model is looked at is nothing to save; in a session that has a file it is.
  const bool nothingToSave = path_.empty() && !modified();
  // Layer, head and window are those of the model before.
  Document next = now;
  for (const std::string& stale : keys.stale)
    if (next.has(stale)) next = next.without(stale);
  pane.commit(next.with("exhibit", taker->key()).with(keys.key, path),
              trFormat("open {}", model_->checkpoint->title()));
  window_.history.seal();
  if (nothingToSave) markSaved();
  return {};
}

/// As takeModel(); what finds no place is named.
void Files::takeFurther(const std::vector<std::string>& paths) {
  Pane& pane = panes_.active();
  const Exhibit* const taker = takerOf(pane);
  if (paths.empty() || !taker) return;
  const CheckpointKeys keys = *taker->checkpoints(pane.document());
  const bool nothingToSave = path_.empty() && !modified();
  Document next = pane.document();
  std::string left;
  for (std::size_t i = 0; i < std::max(paths.size(), keys.further.size()); ++i) {
    if (i >= paths.size()) {
      if (next.has(keys.further[i])) next = next.without(keys.further[i]);
    } else if (i < keys.further.size()) {
      next = next.with(keys.further[i], paths[i]);
      remember(paths[i], modelName(paths[i], window_.options.assets), FileKind::Checkpoint);
    } else {
      left += (left.empty() ? "" : ", ") + std::filesystem::path(paths[i]).filename().string();
    }
  }
  for (const auto& [key, value] : keys.several)
    next = next.with(key, value);
  window_.history.seal();
  pane.commit(std::move(next), trFormat("open {} models", 1 + std::min(paths.size(), keys.further.size())));
  window_.history.seal();
  if (nothingToSave) markSaved();
  if (!left.empty())
    window_.note(
        trFormat("{} models are shown side by side at most: {} was not opened.", 1 + keys.further.size(), left));
}

}  // namespace sepx::ui
