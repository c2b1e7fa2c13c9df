// SPDX-License-Identifier: Apache-2.0
// Opens files. They are read in the background, and then replace the document, or are added to it, completely or not at
// all. A lesson can only open files in its folders (lessonFolders()).
#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "ui/document/state_text.h"
#include "ui/exhibits/lesson_list.h"
#include "ui/exhibits/model_name.h"
#include "ui/page/requests.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/files.h"
#include "ui/workbench/files_fields.h"
#include "ui/workbench/lesson_files.h"
#include "ui/workbench/settings.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

std::string newerSentence(std::int64_t version) {
  return trFormat(
      "This session was written by a newer Separatrix (version {}, supported here: {}): only the supported parts are "
      "shown, and it can be saved under another name only.",
      version, Document::kVersion);
}

}  // namespace

/// Usage if a state that a lesson opens sets what the lesson may not set: the folder of a run that training would
/// change.
Result<void> Files::checkLesson(const Document& document, const std::string& path) {
  if (!lesson_.opens()) return {};
  for (int number = 1; number <= kMostPanes; ++number) {
    const std::string key = beyondLessons(document.pane(number), panes_.at(1).properties());
    if (!key.empty())
      return fail(ErrorKind::Usage,
                  trFormat("{}: a lesson may not open this: it sets {}", path, keyInPane(key, number)));
  }
  return {};
}

/// The folders in which the open lesson may open files.
std::vector<std::string> Files::lessonFolders() const {
  const std::string folder = fs::path(lesson_.lesson()->name).parent_path().string();
  return {folder.empty() ? "." : folder, window_.options.assets};
}

void Files::restrictRunData() {
  if (!window_.options.runs) return;
  const std::vector<std::string> folders = lessonFolders();
  window_.options.runs->restrictData(folders.front(), folders);
}

/// Usage if a state that a lesson opens names files that the lesson may not open. `document`: with absolute paths.
Result<void> Files::checkLessonFiles(const Document& document, const std::string& path) {
  if (!lesson_.opens() || !lesson_.lesson()) return {};
  const std::string file = fileOutside(document, panes_.at(1).properties(), lessonFolders());
  if (file.empty()) return {};
  return fail(ErrorKind::Usage, trFormat("{}: a lesson may not open this: it names {}, which is neither in the "
                                         "lesson's folder nor shipped with the program",
                                         path, file));
}

Result<void> Files::openSession(const std::string& path, Session session) {
  const PropertyRegistry& registry = panes_.at(1).properties();
  if (!hasKnownSection(session.document, registry)) {
    return fail(ErrorKind::BadInput, path + ": " + tr("this is JSON, but not a session of Separatrix"));
  }
  if (session.document.has(kSeedField) && !session.document.at(kSeedField).is_number_unsigned()) {
    return fail(
        ErrorKind::BadInput,
        trFormat("{}: the field \"{}\" is {}; a seed is a whole number from 0 to {}", path, kSeedField,
                 session.document.at(kSeedField).dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 40),
                 std::numeric_limits<std::uint64_t>::max()));
  }
  const std::uint64_t seed = unsignedAt(session.document, kSeedField);
  Document document = session.document.without(kSeedField).without(kAutosaveField);
  if (session.newer()) document = understood(std::move(document), registry);
  if (auto checked = panes_.check(document); !checked) {
    return fail(checked.error().kind, path + ": " + checked.error().message);
  }
  if (auto allowed = checkLesson(document, path); !allowed) return allowed;
  document = withAbsolutePaths(std::move(document), registry, fs::path(path).parent_path().string());
  if (auto allowed = checkLessonFiles(document, path); !allowed) return allowed;
  std::string removals;
  document = withoutContradictions(std::move(document), registry, removals);
  begin(std::move(document), seed);
  path_ = path;
  markSaved();
  stamp_ = session.stamp;
  if (!removals.empty()) window_.note(fileName(path) + ": " + removals);
  if (session.newer()) {
    readOnly_ = newerSentence(session.version);
    window_.note(fileName(path) + ": " + readOnly_);
  }
  askForMissing();
  return {};
}

/// If a checkpoint of the session was moved, asks the user where it is now. The rest of the session is unchanged.
void Files::askForMissing() {
  const auto missing = missingFiles(window_.history.present(), panes_.at(1).properties());
  if (missing.empty()) return;
  window_.note(
      trFormat("{} no longer exists. Choose where it is now to continue the session with it.", missing.front().path));
  if (!window_.options.scripted) window_.chooseFile(missing.front().key);
}

/// Applies a request to the active pane as takeModel() does: one undo step, or a new document in an untouched window.
template <class Request>
void Files::takeRequest(const Request& request, const std::string& path) {
  lesson_.interrupt();
  if (untouched()) return begin(with(Document(), request), 0);
  window_.history.seal();
  Pane& pane = panes_.active();
  pane.commit(with(pane.document(), request), trFormat("open {}", fileName(path)));
  window_.history.seal();
}

void Files::showRun(const std::string& folder) {
  cancelOpening();
  takeRequest(ShowRuns{{folder}}, folder);
  remember(folder, fileName(folder), FileKind::Run);
  window_.redraw();
}

Result<void> Files::openRestoredState(const std::string& path, RestoredState restoredState) {
  const PropertyRegistry& registry = panes_.at(1).properties();
  std::string removals;
  if (restoredState.text) {
    if (!hasKnownSection(restoredState.document, registry))
      return fail(ErrorKind::BadInput, path + ": " + tr("nothing in this state is supported here"));
    restoredState.document = withOwnPaths(std::move(restoredState.document), registry, window_.options.assets);
  }
  if (auto checked = panes_.check(restoredState.document); !checked)
    return fail(checked.error().kind, path + ": " + checked.error().message);
  if (auto allowed = checkLesson(restoredState.document, path); !allowed) return allowed;
  if (auto allowed = checkLessonFiles(restoredState.document, path); !allowed) return allowed;
  if (restoredState.text)
    restoredState.document = withoutContradictions(std::move(restoredState.document), registry, removals);
  if (restoredState.text && lesson_.opens() && lesson_.lesson()) {
    // The initial state of a step of the lesson: the lesson stays open, and undo restores the previous document.
    if (programSeed_ == 0) window_.options.seed = restoredState.seed;
    window_.history.seal();
    window_.history.commit(std::move(restoredState.document), tr("open a state"));
    window_.history.seal();
    return {};
  }
  begin(std::move(restoredState.document), restoredState.seed);
  title_ = restoredState.text ? tr("State from text") : fs::path(path).stem().string();
  if (!removals.empty()) window_.note(path + ": " + removals);
  if (restoredState.text) askForMissing();
  return {};
}

Result<void> Files::takeTable(const Table& table, const std::string& path) {
  lesson_.interrupt();
  window_.history.seal();
  ExhibitContext now = panes_.context(panes_.activeNumber());
  auto taken = panes_.active().exhibit().importTable(now, table, path);
  window_.history.seal();
  if (taken) return taken;
  // One mistyped cell turns a whole column of numbers into text, so the error names that cell.
  const std::string odd = firstNonNumber(table);
  return odd.empty() ? taken : fail(ErrorKind::BadInput, path + ": " + odd);
}

Result<void> Files::openText(const PlainText& text, const std::string& path) {
  ExhibitContext now = panes_.context(panes_.activeNumber());
  window_.history.seal();
  const bool taken = panes_.active().exhibit().openText(now, path);
  window_.history.seal();
  if (!taken) return fail(ErrorKind::BadInput, text.refusal);
  lesson_.interrupt();
  return {};
}

/// Adds what the user opened to the list of recent files. Lessons that ship with the program have a list of their own.
void Files::remember(const std::string& path, const std::string& titled, FileKind kind) {
  const auto ships = [&path](const auto& lesson) { return isSameFile(lesson.first, path); };
  const bool listed = kind == FileKind::Lesson && std::ranges::any_of(window_.options.lessons, ships);
  if (window_.options.settings && !listed) window_.options.settings->opened({path, titled, toString(kind)});
}

Result<void> Files::open(const std::string& path) {
  cancelOpening();
  return takeAll({readAnyFile(path, window_.options.rules)});
}

Result<void> Files::startOpening(std::vector<std::string> paths, ApplyOpened take) {
  if (window_.options.scripted) {  // simulated time: read in the same frame on every machine
    cancelOpening();
    std::vector<Result<Opened>> files;
    for (const std::string& path : paths)
      files.push_back(readAnyFile(path, window_.options.rules));
    return takeAll(std::move(files));
  }
  cancelOpening();
  opening_ = isStateText(paths.front()) ? shownStateText(paths.front()) : fileName(paths.front());
  reading_.start(jobs_, std::move(paths), trFormat("opening {}", opening_),
                 [rules = window_.options.rules](const std::vector<std::string>& all, auto& output) {
                   auto files = std::make_shared<std::vector<Result<Opened>>>();
                   for (const std::string& path : all) {
                     const auto cancelled = [&](double share) {
                       output.progress((static_cast<double>(files->size()) + share) / static_cast<double>(all.size()));
                       return output.cancelled();
                     };
                     files->push_back(readAnyFile(path, rules, cancelled));
                     if (output.cancelled()) break;
                   }
                   output.finish(std::move(files));
                 });
  take_ = take;
  forPane_ = panes_.activeNumber();
  forKey_ = std::exchange(window_.fileDialogKey, {});
  window_.redraw();
  return {};
}

void Files::update() {
  // Changes made by a lesson do not count as unsaved work, even after the lesson is closed.
  const std::uint64_t revision = window_.history.revision();
  if (std::exchange(seen_, revision) != revision && lesson_.lesson() && !lesson_.touched()) markSaved();
  reading_.refresh(jobs_);
  if (reading_.complete() && !reading_.finished()) cancelOpening();  // it was cancelled in the list of jobs
  openingRead_ = reading_.finished();
  if (!openingRead_ || take_ == ApplyOpened::ByCaller) return;
  const auto replaces = [](const Result<Opened>& file) { return file && !addsToDocument(*file); };
  if (take_ == ApplyOpened::WhenConfirmed &&
      std::any_of((*reading_.result())->begin(), (*reading_.result())->end(), replaces)) {
    if (window_.request == HostRequest::None) window_.request = HostRequest::ConfirmOpening;
    return;
  }
  (void)finishOpening(true);
}

Result<void> Files::finishOpening(bool take) {
  if (!std::exchange(openingRead_, false)) return fail(ErrorKind::Usage, tr("nothing was opened"));
  auto files = std::move(**reading_.result());
  cancelOpening();
  window_.redraw();
  if (!take) return {};
  panes_.activate(forPane_);
  window_.fileDialogKey = std::move(forKey_);
  return takeAll(std::move(files));
}

bool Files::cancelOpening() {
  openingRead_ = false;
  reading_.clear();
  if (std::exchange(opening_, {}).empty()) return false;
  window_.redraw();
  return true;
}

Result<void> Files::takeAll(std::vector<Result<Opened>> files) {
  window_.redraw();
  Result<void> outcome;
  std::string left;
  std::vector<std::string> further;
  bool replaced = false, swept = false;
  bool first = false;  // a model is open: further models are shown beside it
  // Files that replace the document come before files that are added to it.
  std::stable_partition(files.begin(), files.end(), [](const auto& file) { return !file || !addsToDocument(*file); });
  for (auto& file : files) {
    const bool model = file && std::holds_alternative<OpenedModel>(file->content);
    const bool sweep = file && std::holds_alternative<OpenedSweep>(file->content);
    if (model && first) {
      further.push_back(file->path);
      continue;
    }
    if ((file && !addsToDocument(*file) && std::exchange(replaced, true)) || (sweep && std::exchange(swept, true))) {
      left += (left.empty() ? "" : ", ") + fileName(file->path);
      continue;
    }
    const bool asked = !window_.fileDialogKey.empty();
    auto done = file ? take(std::move(*file)) : Result<void>(tl::unexpected(file.error()));
    first = first || (model && done && !asked);
    if (!done) outcome = failed(std::move(done.error()));
  }
  if (!left.empty())
    window_.note(trFormat("A window can hold only one session, and a page only one sweep: {} was not opened.", left));
  takeFurther(further);
  return outcome;
}

Result<void> Files::take(Opened opened) {
  Result<void> done;
  const bool ofLesson = lesson_.acting();
  std::string titled = fileName(opened.run.empty() ? opened.path : opened.run);
  FileKind kind = FileKind::Session;
  if (auto* session = std::get_if<Session>(&opened.content)) {
    done = openSession(opened.path, std::move(*session));
  } else if (auto* lesson = std::get_if<Lesson>(&opened.content)) {
    kind = FileKind::Lesson;
    titled = lesson->title;
    auto chain = lesson_.chainTo(opened.path);
    if (!chain) return tl::unexpected(chain.error());
    startAnew();
    lesson_.open(std::move(*lesson), std::move(*chain));
    restrictRunData();
  } else if (auto* restoredState = std::get_if<RestoredState>(&opened.content)) {
    kind = restoredState->text ? FileKind::State : FileKind::Figure;
    done = openRestoredState(opened.path, std::move(*restoredState));
  } else if (auto* model = std::get_if<OpenedModel>(&opened.content)) {
    kind = opened.run.empty() ? FileKind::Checkpoint : FileKind::Run;
    if (opened.run.empty()) titled = modelName(opened.path, window_.options.assets);
    done = takeModel(opened.path, std::move(*model));
  } else if (const auto* sweep = std::get_if<OpenedSweep>(&opened.content)) {
    kind = FileKind::Sweep;
    takeRequest(OpenSweep{sweep->folder}, sweep->folder);
  } else if (const auto* text = std::get_if<PlainText>(&opened.content)) {
    return openText(*text, opened.path);
  } else {
    return takeTable(std::get<Table>(opened.content), opened.path);
  }
  if (done && !ofLesson && kind != FileKind::State)
    remember(opened.run.empty() ? opened.path : opened.run, titled, kind);
  return done;
}

}  // namespace sepx::ui
