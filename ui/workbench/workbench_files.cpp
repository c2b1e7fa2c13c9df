// SPDX-License-Identifier: Apache-2.0
// The Workbench and files: what is opened takes the place of the document as a whole or not at all; what is saved does
// not write over another program's work; what a kill left behind comes back as it was, unsaved.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "ui/properties/tr.h"
#include "ui/workbench/file_paths.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr const char* kSeed = "seed";          ///< of the program's random draws, where it is not 0
constexpr const char* kAutosave = "autosave";  ///< the note in a keepsake

std::string fileName(const std::string& path) {
  return fs::path(path).filename().string();
}

bool isSameFile(const std::string& a, const std::string& b) {
  std::error_code failed;
  return a == b || fs::equivalent(a, b, failed);
}

std::uint64_t unsignedAt(const Document& document, std::string_view path) {
  const Json& value = document.at(path);
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

std::string textAt(const Document& document, std::string_view path) {
  const Json& value = document.at(path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string newerSentence(std::int64_t version) {
  return fmt::format(fmt::runtime(tr("A newer Separatrix wrote this session (version {}, known here: {}): it is shown "
                                     "as far as it is understood, and can be saved under another name only.")),
                     version, Document::kVersion);
}

}  // namespace

/// Every field that is known, of every pane.
Result<void> Workbench::Impl::check(const Document& document) {
  const PropertyRegistry& registry = pane(1).registry;
  if (auto checked = registry.check(document); !checked) return checked;
  for (int number = 2; number <= kMostPanes; ++number) {
    if (auto checked = registry.check(document.pane(number)); !checked) {
      return fail(checked.error().kind,
                  fmt::format(fmt::runtime(tr("in pane {}: {}")), number, checked.error().sentence));
    }
  }
  return {};
}

/// A document that takes the place of the one there was: nothing is saved of it, nothing modified, nothing to undo.
/// `seed`: of its random draws, unless the person gave one to the program.
void Workbench::Impl::begin(Document document, std::uint64_t seed) {
  if (programSeed == 0) options.seed = seed;
  lesson.close();
  history.reset(std::move(document));
  saved = withoutCarried(history.present());
  file.clear();
  title.clear();
  readOnly.clear();
  stamp = {};
  unsaved = false;
  modifiedAt = ~0ull;
}

void Workbench::Impl::startAnew() {
  begin({}, 0);
}

Result<void> Workbench::Impl::openSession(const std::string& path, Session session) {
  const PropertyRegistry& registry = pane(1).registry;
  if (!isOurs(session.document, registry)) {
    return fail(ErrorKind::BadInput, path + ": " + tr("this is JSON, but not a session of Separatrix"));
  }
  const std::uint64_t seed = unsignedAt(session.document, kSeed);
  Document document = session.document.without(kSeed).without(kAutosave);
  if (session.newer()) document = understood(std::move(document), registry);
  if (auto checked = check(document); !checked) {
    return fail(checked.error().kind, path + ": " + checked.error().sentence);
  }
  document = withAbsolutePaths(std::move(document), registry, fs::path(path).parent_path().string());
  std::string mended;
  document = consistent(std::move(document), registry, mended);
  begin(std::move(document), seed);
  file = path;
  stamp = session.stamp;
  if (!mended.empty()) self.say({Message::Level::Note, fileName(path) + ": " + mended});
  if (session.newer()) {
    readOnly = newerSentence(session.version);
    self.say({Message::Level::Note, fileName(path) + ": " + readOnly});
  }
  askForMissing();
  return {};
}

/// A session whose checkpoint was moved asks where it is now; the rest of it is as it was.
void Workbench::Impl::askForMissing() {
  const auto missing = missingFiles(history.present(), pane(1).registry);
  if (missing.empty()) return;
  self.say({Message::Level::Note,
            fmt::format(fmt::runtime(tr("{} is not there any more: say where it is now, and the session goes on with "
                                        "it.")),
                        missing.front().path)});
  if (!options.scripted) chooseFile(missing.front().key);
}

/// The next checkpoint that the host opens becomes the value of `key`, of whatever pane.
void Workbench::Impl::chooseFile(std::string key) {
  fileFor = std::move(key);
  wish = HostFrame::Wish::OpenDialog;
}

/// A checkpoint goes into the active pane. It is one undo step of work that is there; an untouched window opens on it
/// as on a document of its own, with nothing to save.
Result<void> Workbench::Impl::takeModel(const std::string& path, OpenedModel opened) {
  model = std::move(opened);
  const std::string asked = std::exchange(fileFor, {});
  if (!asked.empty()) return self.set(asked, path);
  const Document& now = active().document();
  const auto shows = [&now](const auto& exhibit) { return exhibit->checkpoints(now).has_value(); };
  const auto taker = std::find_if(active().exhibits.begin(), active().exhibits.end(), shows);
  if (taker == active().exhibits.end()) return fail(ErrorKind::Usage, path + ": " + tr("no exhibit shows checkpoints"));
  const CheckpointKeys keys = *(*taker)->checkpoints(now);
  if (!keys.beside.empty() && taker->get() == &active().exhibit()) {
    self.say({Message::Level::Note, fmt::format(fmt::runtime(tr("{} is compared with the open model now; on any other "
                                                                "page a checkpoint that is opened takes its place.")),
                                                model->checkpoint->title())});
    return active().set(keys.beside, path);
  }
  const bool untouched = file.empty() && !lesson.lesson() && shown() == 1 &&
                         withoutCarried(history.present()) == withoutCarried(Document{});
  if (untouched) {
    begin(Document().with("exhibit", (*taker)->key()).with(keys.key, path), 0);
    title = model->checkpoint->title();
    return {};
  }
  lesson.interrupt();
  history.seal();
  // Layer, head and window are those of the model before.
  Document next = now;
  for (const std::string& stale : keys.stale)
    if (next.has(stale)) next = next.without(stale);
  active().commit(next.with("exhibit", (*taker)->key()).with(keys.key, path),
                  fmt::format(fmt::runtime(tr("open {}")), model->checkpoint->title()));
  history.seal();
  return {};
}

void Workbench::Impl::openLesson(Lesson opened) {
  startAnew();
  lesson.open(std::move(opened));
}

void Workbench::Impl::openRecreated(const std::string& path, Recreated recreated) {
  begin(std::move(recreated.document), recreated.seed);
  title = fs::path(path).stem().string();
}

Result<void> Workbench::Impl::takeTable(const Table& table, const std::string& path) {
  lesson.interrupt();
  history.seal();
  ExhibitContext now = context(activeNumber());
  auto taken = active().exhibit().take(now, table, path);
  history.seal();
  if (taken) return taken;
  // One cell with a slip in it makes words of a whole column: then the slip is what the person must know.
  const std::string odd = oddCell(table);
  return odd.empty() ? taken : fail(ErrorKind::BadInput, path + ": " + odd);
}

/// For the list of recent files. That it could not be kept is no news for a person who opens a file.
void Workbench::Impl::remember(const std::string& path, const std::string& titled, FileKind kind) {
  if (options.settings) (void)options.settings->opened({path, titled, word(kind)});
}

Document Workbench::Impl::withSeed(Document document) const {
  return options.seed == 0 ? document : document.with(kSeed, options.seed);
}

Result<void> Workbench::open(const std::string& path) {
  const auto failed = [this](Error error) {
    impl_->say(error.sentence);
    return tl::unexpected(std::move(error));
  };
  auto opened = readAnything(path, impl_->options.rules);
  if (!opened) return failed(std::move(opened.error()));
  impl_->settling = kSettlingFrames;
  if (auto* session = std::get_if<Session>(&opened->content)) {
    if (auto done = impl_->openSession(opened->path, std::move(*session)); !done)
      return failed(std::move(done.error()));
    impl_->remember(opened->path, fileName(opened->path), FileKind::Session);
  } else if (auto* lesson = std::get_if<Lesson>(&opened->content)) {
    const std::string title = lesson->title;
    impl_->openLesson(std::move(*lesson));
    impl_->remember(opened->path, title, FileKind::Lesson);
  } else if (auto* recreated = std::get_if<Recreated>(&opened->content)) {
    if (auto checked = impl_->check(recreated->document); !checked)
      return failed({checked.error().kind, path + ": " + checked.error().sentence});
    impl_->openRecreated(opened->path, std::move(*recreated));
    impl_->remember(opened->path, fileName(opened->path), FileKind::Figure);
  } else if (auto* model = std::get_if<OpenedModel>(&opened->content)) {
    const std::string titled = (*model)->checkpoint->title();
    if (auto taken = impl_->takeModel(opened->path, std::move(*model)); !taken) return failed(std::move(taken.error()));
    impl_->remember(opened->path, titled, FileKind::Checkpoint);
  } else if (auto taken = impl_->takeTable(std::get<Table>(opened->content), opened->path); !taken) {
    return failed(std::move(taken.error()));
  }
  return {};
}

Result<void> Workbench::save(const std::string& path, bool anyway) {
  const bool own = !impl_->file.empty() && isSameFile(path, impl_->file);
  if (own && !anyway && !impl_->readOnly.empty()) {
    return fail(ErrorKind::CheckFailed, path + ": " + impl_->readOnly);
  }
  const std::string folder = fs::path(path).parent_path().string();
  const std::string text =
      sessionText(withRelativePaths(impl_->withSeed(impl_->history.present()), impl_->pane(1).registry, folder));
  Result<FileStamp> written = stampOf(text);
  if (own && !anyway) {
    written = replaceFile(path, text, impl_->stamp);
  } else if (auto done = writeFile(path, text); !done) {
    written = tl::unexpected(done.error());
  }
  if (!written) {
    // Of what another program changed the host asks the person.
    if (written.error().kind != ErrorKind::CheckFailed) impl_->say(written.error().sentence);
    return tl::unexpected(written.error());
  }
  impl_->file = path;
  impl_->stamp = *written;
  impl_->readOnly.clear();
  impl_->title.clear();
  impl_->unsaved = false;
  impl_->saved = impl_->withoutCarried(impl_->history.present());
  impl_->modifiedAt = ~0ull;
  impl_->settling = kSettlingFrames;
  impl_->remember(path, fileName(path), FileKind::Session);
  return {};
}

bool Workbench::modified() const {
  const std::uint64_t revision = impl_->history.revision();
  if (impl_->modifiedAt != revision) {
    impl_->isModified = impl_->unsaved || !(impl_->withoutCarried(impl_->history.present()) == impl_->saved);
    impl_->modifiedAt = revision;
  }
  return impl_->isModified;
}

std::string Workbench::path() const {
  return impl_->file;
}

std::string Workbench::readOnly() const {
  return impl_->readOnly;
}

Document Workbench::keepsake() const {
  const Impl& impl = *impl_;
  std::string title = impl.title;
  if (!impl.file.empty()) title = fileName(impl.file);
  if (const Lesson* open = impl.lesson.lesson()) title = open->title;
  Json note{{"title", title.empty() ? tr("Untitled") : title}};
  if (!impl.file.empty()) {
    std::error_code failed;
    const fs::path whole = fs::absolute(impl.file, failed);
    note["path"] = failed ? impl.file : whole.string();
    note["size"] = impl.stamp.size;
    note["hash"] = impl.stamp.hash;
    note["readOnly"] = impl.readOnly;
  }
  return impl.withSeed(impl.history.present()).with(kAutosave, std::move(note));
}

Result<void> Workbench::restore(const std::string& autosave) {
  auto read = readSessionFile(autosave);
  Result<void> outcome;
  if (!read) outcome = tl::unexpected(read.error());
  Document kept = read ? read->document : Document{};
  Document document = kept.without(kSeed).without(kAutosave);
  if (outcome && !impl_->check(document)) document = understood(std::move(document), impl_->pane(1).registry);
  if (outcome) outcome = impl_->check(document);
  if (!outcome) {
    impl_->say(outcome.error().sentence);
    return outcome;
  }
  impl_->begin(std::move(document), unsignedAt(kept, kSeed));
  impl_->file = textAt(kept, "autosave.path");
  if (impl_->file.empty()) {
    impl_->title = textAt(kept, "autosave.title");
  } else {
    impl_->stamp = {true, unsignedAt(kept, "autosave.size"), unsignedAt(kept, "autosave.hash")};
    impl_->readOnly = textAt(kept, "autosave.readOnly");
  }
  impl_->unsaved = true;
  impl_->settling = kSettlingFrames;
  if (impl_->options.restored) impl_->options.restored(autosave);
  return {};
}

}  // namespace sepx::ui
