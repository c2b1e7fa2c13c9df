// SPDX-License-Identifier: Apache-2.0
// The document of a window as the work of the user: which part of it is saved, saving, its title, and restoring it
// after a kill. For opening see files_opening.cpp.
#include "ui/workbench/files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/file.h"
#include "ui/exhibits/model_name.h"
#include "ui/page/page_key.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/files_fields.h"
#include "ui/workbench/settings.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

std::string textAt(const Document& document, std::string_view path) {
  const Json& value = document.at(path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace

Files::Files(WindowState& window, Panes& panes, LessonPlayer& lesson, Jobs& jobs)
    : window_(window), panes_(panes), lesson_(lesson), jobs_(jobs), programSeed_(window.options.seed) {
  markSaved();
}

/// The part of the current document that would be lost. Without a file, the choice of exhibit and page does not count
/// as work of the user. In a session that was saved it is part of what was saved.
Document Files::work() const {
  Document document = panes_.withoutCarried(window_.history.present());
  if (!path_.empty()) return document;
  document = document.without("exhibit");
  for (const auto& exhibit : panes_.active().exhibits())
    document = document.without(pageKey(exhibit->key()));
  return document;
}

void Files::markSaved() {
  saved_ = work();
  unsaved_ = false;
  modifiedAt_ = ~0ull;
}

/// Replaces the document by one without a file, without changes and without undo steps. `seed`: of its random draws,
/// unless the user gave the program a seed.
void Files::begin(Document document, std::uint64_t seed) {
  if (programSeed_ == 0) window_.options.seed = seed;
  const bool ofLesson = lesson_.opens();
  lesson_.close();
  if (window_.options.runs) {
    window_.options.runs->stopLessonRuns();  // the runs of a lesson are no longer shown
    if (!ofLesson) window_.options.runs->restrictData({}, {});
  }
  window_.history.reset(std::move(document));
  path_.clear();
  markSaved();
  title_.clear();
  readOnly_.clear();
  stamp_ = {};
}

void Files::startAnew() {
  begin({}, 0);
}

void Files::beginWith(Document document) {
  window_.history.reset(std::move(document));
  markSaved();
}

bool Files::untouched() const {
  return path_.empty() && !lesson_.lesson() && panes_.untouched();
}

std::string Files::title() const {
  if (const Lesson* open = lesson_.lesson()) return open->title;
  if (!path_.empty()) return fileName(path_);
  if (!title_.empty()) return title_;
  const std::string& model = modelTitle();
  return model.empty() ? tr("Untitled") : model;
}

const std::string& Files::modelTitle() const {
  if (std::exchange(modelTitleAt_, window_.history.revision()) == window_.history.revision()) return modelTitle_;
  modelTitle_.clear();
  Pane& pane = panes_.active();
  const Document& now = pane.document();
  for (const auto& exhibit : pane.exhibits()) {
    const auto keys = exhibit->checkpoints(now);
    if (const std::string path = keys ? textAt(now, keys->key) : std::string(); !path.empty())
      modelTitle_ = modelName(path, window_.options.assets);
  }
  return modelTitle_;
}

void Files::addCommands(Commands& to) {
  const char* const kFile = tr("File");
  const auto ask = [this](HostRequest request) { return [this, request] { window_.request = request; }; };
  to.add({"file.new", tr("New"), "Ctrl+N", kFile, true}, [this] { startAnew(); });
  to.add({"file.open", tr("Open…"), "Ctrl+O", kFile, true}, ask(HostRequest::OpenDialog));
  to.add({"file.save", tr("Save"), "Ctrl+S", kFile, true}, [this] { return saveAgain(); });
  to.add({"file.save-as", tr("Save as…"), "Ctrl+Shift+S", kFile, true}, ask(HostRequest::SaveDialog));
  to.add({"file.export", tr("Export…"), "Ctrl+E", kFile, true}, ask(HostRequest::ExportDialog));
  to.add({"file.quit", tr("Quit"), "Ctrl+Q", kFile, true}, ask(HostRequest::Quit));
}

bool Files::confirmDiscard() {
  const std::uint64_t revision = window_.history.revision();
  if (window_.options.scripted || !modified() || discardWarnedAt_ == revision) return true;
  discardWarnedAt_ = revision;
  window_.note(tr("There are unsaved changes. Ctrl+S saves them; Ctrl+N again discards them."));
  return false;
}

Document Files::withSeed(Document document) const {
  return window_.options.seed == 0 ? document : document.with(kSeedField, window_.options.seed);
}

/// Reports an error to the user, unless a line of a lesson caused it: the lesson, which knows the line, reports it.
Result<void> Files::failed(Error error) {
  if (!lesson_.acting()) window_.error(error.message);
  return tl::unexpected(std::move(error));
}

Result<void> Files::saveAgain() {
  if (path_.empty()) {
    window_.request = HostRequest::SaveDialog;
    return {};
  }
  auto done = save(path_, false);
  if (!done && done.error().kind == ErrorKind::CheckFailed) window_.error(done.error().message);
  return done;
}

Result<void> Files::save(const std::string& path, bool anyway) {
  const bool own = !path_.empty() && isSameFile(path, path_);
  if (own && !anyway && !readOnly_.empty()) return fail(ErrorKind::CheckFailed, path + ": " + readOnly_);
  const std::string folder = fs::path(path).parent_path().string();
  const std::string text =
      sessionText(withRelativePaths(withSeed(window_.history.present()), panes_.at(1).properties(), folder));
  Result<FileStamp> written = stampOf(text);
  if (text.size() > kLargestSession) {
    written = fail(ErrorKind::OutputFailed,
                   trFormat("{}: the session would have {} bytes, and a session of more than {} bytes cannot be opened "
                            "again; remove points, long names or imported trajectories",
                            path, text.size(), kLargestSession));
  } else if (own && !anyway) {
    written = replaceFile(path, text, stamp_);
  } else if (auto done = writeFile(path, text); !done) {
    written = tl::unexpected(done.error());
  }
  if (!written) {
    // If another program changed the file, the host asks the user.
    if (written.error().kind != ErrorKind::CheckFailed) window_.error(written.error().message);
    return tl::unexpected(written.error());
  }
  path_ = path;
  stamp_ = *written;
  readOnly_.clear();
  title_.clear();
  markSaved();
  window_.redraw();
  remember(path, fileName(path), FileKind::Session);
  return {};
}

bool Files::modified() const {
  if (lesson_.lesson() && !lesson_.touched()) return false;
  const std::uint64_t revision = window_.history.revision();
  if (modifiedAt_ != revision) {
    // A change that a model makes to the document when it opens, such as its stack, is neither a step nor the user's
    // work.
    const bool began = !path_.empty() || window_.history.undoSteps() > 0;
    isModified_ = unsaved_ || (began && !(work() == saved_));
    modifiedAt_ = revision;
  }
  return isModified_;
}

Document Files::recoveryDocument() const {
  Json note{{"title", title()}};
  if (!path_.empty()) {
    std::error_code failed;
    const fs::path whole = fs::absolute(path_, failed);
    note["path"] = failed ? path_ : whole.string();
    note["size"] = stamp_.size;
    note["hash"] = stamp_.hash;
    note["readOnly"] = readOnly_;
  }
  return withSeed(window_.history.present()).with(kAutosaveField, std::move(note));
}

Result<void> Files::restore(const std::string& recoveryFile) {
  auto read = readSessionFile(recoveryFile);
  if (!read) return failed(std::move(read.error()));
  const Document& kept = read->document;
  Document document = kept.without(kSeedField).without(kAutosaveField);
  if (!panes_.check(document)) document = understood(std::move(document), panes_.at(1).properties());
  if (auto checked = panes_.check(document); !checked) return failed(std::move(checked.error()));
  begin(std::move(document), unsignedAt(kept, kSeedField));
  path_ = textAt(kept, "autosave.path");
  if (path_.empty()) {
    // A title that is the name of the model is not kept, because it changes with the model.
    if (std::string last = textAt(kept, "autosave.title"); last != title()) title_ = std::move(last);
  } else {
    stamp_ = {true, unsignedAt(kept, "autosave.size"), unsignedAt(kept, "autosave.hash")};
    readOnly_ = textAt(kept, "autosave.readOnly");
  }
  unsaved_ = true;
  window_.redraw();
  if (window_.options.restored) window_.options.restored(recoveryFile);
  return {};
}

// Opened checkpoints: the first goes into the active pane, further ones are shown beside it.

namespace {

/// The exhibit of the pane that shows checkpoints; null if none does.
const Exhibit* checkpointExhibitOf(const Pane& pane) {
  const auto shows = [&pane](const auto& exhibit) { return exhibit->checkpoints(pane.document()).has_value(); };
  const auto found = std::find_if(pane.exhibits().begin(), pane.exhibits().end(), shows);
  return found == pane.exhibits().end() ? nullptr : found->get();
}

}  // namespace

/// Opens a checkpoint in the active pane, as one undo step. In an untouched window it becomes a document of its own,
/// with nothing to save.
Result<void> Files::takeModel(const std::string& path, OpenedModel opened) {
  model_ = std::move(opened);
  const std::string asked = std::exchange(window_.fileDialogKey, {});
  lesson_.interrupt();
  if (!asked.empty()) {
    auto done = panes_.set(asked, path);
    window_.history.seal();
    return done;
  }
  Pane& pane = panes_.active();
  const Document& now = pane.document();
  const Exhibit* const taker = checkpointExhibitOf(pane);
  if (!taker) return fail(ErrorKind::Usage, path + ": " + tr("no exhibit shows checkpoints"));
  const CheckpointKeys keys = *taker->checkpoints(now);
  if (!keys.beside.empty() && taker == &pane.exhibit()) {
    window_.note(
        trFormat("{} is now compared with the open model; on any other page, opening a checkpoint replaces the open "
                 "model.",
                 model_->checkpoint->title()));
    return pane.set(keys.beside, path);
  }
  if (untouched()) {
    begin(Document().with("exhibit", taker->key()).with(keys.key, path), 0);
    return {};
  }
  window_.history.seal();
  // Opening another model is not a change to save, except in a session that has a file.
  const bool nothingToSave = path_.empty() && !modified();
  // Layer, head and window belong to the previous model.
  Document next = now;
  for (const std::string& stale : keys.stale)
    if (next.has(stale)) next = next.without(stale);
  pane.commit(next.with("exhibit", taker->key()).with(keys.key, path),
              trFormat("open {}", model_->checkpoint->title()));
  window_.history.seal();
  if (nothingToSave) markSaved();
  return {};
}

/// Opens further checkpoints beside the first, as takeModel() does. A note names those for which there is no place.
void Files::takeFurther(const std::vector<std::string>& paths) {
  Pane& pane = panes_.active();
  const Exhibit* const taker = checkpointExhibitOf(pane);
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
        trFormat("At most {} models are shown side by side: {} was not opened.", 1 + keys.further.size(), left));
}

}  // namespace sepx::ui
