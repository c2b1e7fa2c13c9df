// SPDX-License-Identifier: Apache-2.0
// Collects what the palette finds: commands, the pages and parameters of all exhibits, published figures, files, runs,
// lessons, and the contents of the open models. Each row says in grey where it leads.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "app/data_files.h"
#include "app/studio/fields.h"
#include "app/studio/inspector.h"
#include "app/studio/main_window.h"
#include "app/studio/mnemonics.h"
#include "app/studio/model_rows.h"
#include "app/studio/newest_runs.h"
#include "app/studio/text.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/studies/study.h"
#include "ui/page/exhibit.h"
#include "ui/page/page_key.h"
#include "ui/page/requests.h"
#include "ui/published/gallery.h"
#include "ui/runs/runs.h"
#include "ui/workbench/settings.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace sepx::app {

namespace {

constexpr std::string_view kInList = "[]";

QString alsoOf(std::string_view command) {
  const char* const words = ui::commandSynonyms(command);
  return words ? text(words) : QString();
}

/// Adds the entries of a menu and of its submenus; `group` names the menus above them.
void collectMenu(const QMenu* menu, const QString& group, const QMenu* without, std::vector<PaletteEntry>& entries) {
  for (QAction* action : menu->actions()) {
    if (action->isSeparator() || !action->isVisible() || (without && action->menu() == without)) continue;
    const QString title = withoutMnemonic(action->text());
    if (action->menu()) {
      collectMenu(action->menu(), group + QStringLiteral(" › ") + title, without, entries);
      continue;
    }
    QString key = action->shortcut().toString(QKeySequence::NativeText);
    if (key.isEmpty()) key = action->text().section(u'\t', 1);
    entries.push_back({title,
                       group,
                       key,
                       action->isEnabled(),
                       [action = QPointer<QAction>(action)] {
                         if (action) action->trigger();
                       },
                       action->objectName(),
                       {},
                       {},
                       alsoOf(action->objectName().toStdString())});
  }
}

QString titleIn(const ui::Exhibit& exhibit, const std::string& property) {
  const std::string rest = property.substr(exhibit.key().size() + 1);
  const std::string group = rest.substr(0, rest.find('.') == std::string::npos ? 0 : rest.find('.'));
  for (const ui::PropertyGroup& one : exhibit.groups())
    if (one.key == group) return text(one.title);
  return {};
}

/// The pages of an exhibit, each with the document as it is while that page is shown; the current page is first.
struct PaletteExhibit {
  PaletteExhibit(const ui::Exhibit& of, const ui::Workbench& workbench) : exhibit(of) {
    const std::string key = ui::pageKey(of.key());
    const ui::Document& document = workbench.paneDocument();
    const auto found = workbench.properties().find(key);
    if (!found || !found->property) return;
    const std::string present = ui::toString(workbench.properties().get(document, key));
    for (const std::string& word : found->property->choices)
      pages.push_back({word, QString::fromStdString(found->property->choiceLabel(word)), document.with(key, word)});
    std::stable_partition(pages.begin(), pages.end(), [&present](const Page& page) { return page.word == present; });
    for (const ui::PropertyGroup& group : of.groups())
      if (group.elsewhere) elsewhere.insert(of.key() + "." + group.key + ".");
  }

  struct Page {
    std::string word;
    QString name;
    ui::Document document;
  };
  /// The first page on which a parameter applies; null: none now.
  const Page* pageOf(const ui::Property& property) const {
    const auto at = std::ranges::find_if(
        pages, [&](const Page& page) { return !property.applies || property.applies(page.document); });
    return at == pages.end() ? nullptr : &*at;
  }
  bool onEveryPage(const ui::Property& property) const {
    return std::ranges::all_of(pages,
                               [&](const Page& page) { return !property.applies || property.applies(page.document); });
  }
  bool hasField(const std::string& key) const {
    return key.starts_with(exhibit.key() + ".") &&
           std::ranges::none_of(elsewhere, [&key](const std::string& start) { return key.starts_with(start); });
  }

  const ui::Exhibit& exhibit;
  std::vector<Page> pages;
  std::set<std::string> elsewhere;  ///< beginnings of keys that have no field
};

/// Whether a choice is a published figure, which has an entry of its own.
bool isStudy(const std::string& key, const std::string& choice) {
  return std::ranges::any_of(studies::studies(), [&](const studies::Study& study) {
    return ui::showStudy(study.paper, study.key()).back() == std::pair(key, ui::Value(choice));
  });
}

/// Adds the choices of a parameter that has so many that users look for one by name: experiments, fields, presets.
void addChoices(std::vector<PaletteEntry>& entries, const ui::Property& property, const QString& where,
                const std::function<void(const std::string&)>& choose) {
  constexpr std::size_t kMany = 8;
  if (property.kind != ui::Kind::Choice || property.liveChoices || property.choices.size() < kMany) return;
  for (const std::string& choice : property.choices) {
    if (isStudy(property.key, choice)) continue;
    entries.push_back({property.choiceLabel ? QString::fromStdString(property.choiceLabel(choice)) : text(choice),
                       text(N_("Choice")),
                       {},
                       true,
                       [choose, choice] { choose(choice); },
                       QString::fromStdString(property.key + "#" + choice),
                       where});
  }
}

/// Makes rows distinguishable: rows of one title get their group, and if that is not enough, their key. Removes
/// duplicates.
void disambiguate(std::vector<PaletteEntry>& entries) {
  for (const bool byKey : {false, true}) {
    std::map<std::pair<QString, QString>, int> rows;
    for (const PaletteEntry& one : entries)
      ++rows[{one.title, one.grey()}];
    for (PaletteEntry& one : entries) {
      const QString& more = byKey ? one.key : one.part;
      if (rows[{one.title, one.grey()}] > 1 && !more.isEmpty()) one.where = one.grey() + QStringLiteral(" · ") + more;
    }
  }
  std::set<std::tuple<QString, QString, QString>> seen;
  std::erase_if(entries, [&seen](const PaletteEntry& one) {
    return !seen.insert({one.title, one.grey(), one.detail}).second;
  });
}

}  // namespace

void MainWindow::goToExhibit(const std::string& exhibit) {
  ui::Workbench& workbench = session_.workbench();
  // Also from the start page, which covers the exhibit.
  if (workbench.exhibitKey() != exhibit || workbench.paneHidden()) runCommand("exhibit." + exhibit);
}

void MainWindow::goTo(const std::vector<std::pair<std::string, ui::Value>>& changes) {
  ui::Workbench& workbench = session_.workbench();
  for (const auto& [key, value] : changes) {
    if (key == "exhibit") {
      goToExhibit(ui::toString(value));
    } else if (const auto done = workbench.set(workbench.inPane(key, workbench.activePane()), value, "go"); !done) {
      failed(done.error());
      break;
    }
  }
  workbench.seal();
  wake();
  goToPicture();
}

void MainWindow::showRun(const std::string& folder) {
  session_.workbench().showRun(folder);
  wake();
  goToPicture();
}

void MainWindow::goToParameter(const std::string& declared, const std::string& page) {
  ui::Workbench& workbench = session_.workbench();
  const std::string exhibit = declared.substr(0, declared.find('.'));
  goToExhibit(exhibit);
  const std::string key = workbench.inPane(ui::pageKey(exhibit), workbench.activePane());
  if (!page.empty() && ui::toString(workbench.get(key).value_or(ui::Value())) != page) {
    if (const auto done = workbench.set(key, page); !done) return failed(done.error());
    workbench.seal();
  }
  showDock(folds_[1].dock);
  inspector_->refresh();
  inspector_->goTo(declared);
  wake();
}

void MainWindow::addParameters(std::vector<PaletteEntry>& entries) {
  const ui::Workbench& workbench = session_.workbench();
  const QString parameter = text(N_("Parameter"));
  for (const auto& one : inspector_->reachable())
    if (one.key.find(kInList) != std::string::npos)
      entries.push_back({one.name, parameter, one.value, true, [this, key = one.key] { goToParameter(key, {}); },
                         QString::fromStdString(one.key),
                         QString::fromStdString(workbench.exhibit(workbench.activePane()).name())});
  for (const ui::Exhibit* const exhibit : workbench.exhibits()) {
    const PaletteExhibit in(*exhibit, workbench);
    const QString name = QString::fromStdString(exhibit->name());
    for (const ui::Property& property : workbench.properties().properties()) {
      if (property.key.find(kInList) != std::string::npos || !in.hasField(property.key) || !needsField(property))
        continue;
      const PaletteExhibit::Page* const page = in.pageOf(property);
      if (!page) continue;
      const QString where = in.onEveryPage(property) ? name : name + QStringLiteral(" › ") + page->name;
      const ui::Value value = workbench.properties().get(page->document, property.key);
      entries.push_back({QString::fromStdString(ui::nameOf(property, page->document)), parameter,
                         QString::fromStdString(ui::formatValue(property, value)), true,
                         [this, key = property.key, word = page->word] { goToParameter(key, word); },
                         QString::fromStdString(property.key), where, titleIn(*exhibit, property.key),
                         text(property.help)});
      addChoices(entries, property, where + QStringLiteral(" · ") + entries.back().title,
                 [this, key = property.key, word = page->word](const std::string& choice) {
                   goToParameter(key, word);
                   ui::Workbench& shown = session_.workbench();
                   if (const auto done = shown.set(shown.inPane(key, shown.activePane()), choice); !done)
                     return failed(done.error());
                   shown.seal();
                   wake();
                 });
    }
  }
}

/// Adds the commands of exhibits that are not shown; those of the current one are in the menus.
void MainWindow::addCommandsElsewhere(std::vector<PaletteEntry>& entries) {
  const ui::Workbench& workbench = session_.workbench();
  for (const ui::Exhibit* const exhibit : workbench.exhibits()) {
    const std::string key = exhibit->key();
    if (key == workbench.exhibitKey()) continue;
    for (const auto& command : workbench.commandsOf(key)) {
      if (!command.key.starts_with(key + ".")) continue;
      const auto run = [this, key, command = command.key] {
        goToExhibit(key);
        runCommand(command);
      };
      entries.push_back({QString::fromStdString(command.label),
                         QString::fromStdString(command.menu),
                         QString::fromStdString(command.shortcut),
                         command.enabled,
                         run,
                         QString::fromStdString(command.key),
                         QString::fromStdString(exhibit->name()),
                         {},
                         alsoOf(command.key)});
    }
  }
}

void MainWindow::addFiles(std::vector<PaletteEntry>& entries) {
  const auto add = [&](const QString& title, const char* group, const QString& path) {
    entries.push_back({title, text(group), {}, true, [this, path] { openFiles({path}); }, path});
  };
  for (const auto& file : session_.settings().recent()) {
    const QString path = QString::fromStdString(file.path);
    add(file.title.empty() ? QFileInfo(path).fileName() : QString::fromStdString(file.title), N_("Recent file"), path);
  }
  // Also when its page is not shown.
  const std::string chooseText(ui::chooseTextCommand());
  if (!actions_.contains(chooseText))
    entries.push_back({text(N_("Choose a text file…")),
                       text(N_("Run")),
                       {},
                       true,
                       [this, chooseText] {
                         goTo(ui::showNewRun());
                         runCommand(chooseText);
                       },
                       QString::fromStdString(chooseText),
                       text(N_("Training")),
                       text(N_("New run")),
                       alsoOf(chooseText)});
  for (const NewestRun& run : newestRuns(session_.workbench().runs())) {
    const QString day = dayWords(run.begun);
    entries.push_back({run.name,
                       text(N_("Run")),
                       run.begun.time().toString(QStringLiteral("HH:mm")),
                       true,
                       [this, folder = run.folder] { showRun(folder); },
                       QString::fromStdString(run.folder),
                       text(N_("Run of %1")).arg(day),
                       {},
                       text(N_("Open a training run: its curves, branch from it")),
                       1});
  }
}

/// Adds the figures, tables and theorems of the papers, found by their name and by what they show.
void MainWindow::addStudies(std::vector<PaletteEntry>& entries) {
  for (const studies::Study* const study : ui::galleryStudies({})) {
    const auto shows = ui::showStudy(study->paper, study->key());
    QString about = text(study->title) + u' ' + text(study->about) + u' ' + text(study->claim);
    for (const char* const said : study->says)
      about += u' ' + text(said);
    QString claim = QString::fromStdString(ui::studyClaim(*study));
    if (claim.endsWith(u'.')) claim.chop(1);
    const QString paper = QString::fromUtf8(study->paper), name = QString::fromStdString(ui::studyName(*study));
    PaletteEntry one{QStringLiteral("%1, %2: %3").arg(paper, name, claim),
                     text(N_("Published")),
                     {},
                     true,
                     [this, shows] { goTo(shows); },
                     QString::fromUtf8(study->id)};
    one.about = about;
    one.popularity = 2;
    entries.push_back(std::move(one));
  }
}

/// Adds the layers of the open models, and the tensors of their files.
void MainWindow::addModel(std::vector<PaletteEntry>& entries) {
  ui::Workbench& workbench = session_.workbench();
  for (const ui::Exhibit* const exhibit : workbench.exhibits()) {
    const ui::ModelTree tree = exhibit->modelTree();
    if (tree.title.empty()) continue;
    const std::string key = exhibit->key();
    const auto keys = exhibit->checkpoints(workbench.paneDocument());
    const std::string& assets = workbench.options().assets;
    const std::string path =
        keys ? ui::toString(workbench.properties().get(workbench.paneDocument(), keys->key)) : std::string();
    const std::string file = path.empty() ? assets + "/models/" + tree.title : path;
    const QString model = modelWords(file, assets);
    entries.push_back({model, text(N_("Open model")), {}, true, [this, key] { goToExhibit(key); }, {}});
    const auto add = [&](const std::string& title, const char* group,
                         std::vector<std::pair<std::string, ui::Value>> shows) {
      const auto show = [this, key, shows = std::move(shows)] {
        goToExhibit(key);
        ui::Workbench& now = session_.workbench();
        for (const auto& [property, value] : shows)
          static_cast<void>(now.set(now.inPane(property, now.activePane()), value, "palette"));
        now.seal();
        wake();
      };
      entries.push_back({QString::fromStdString(title), text(group), {}, true, show, {}, model});
    };
    for (const auto& row : tree.rows)
      add(row.name, N_("Layer"), row.shows);
    const auto opened = checkpoint::Checkpoint::open(file);
    if (!opened) continue;
    for (const auto& one : (*opened)->tensors())
      add(one.name, N_("Tensor"), ui::showTensor(one.name));
  }
}

std::vector<PaletteEntry> MainWindow::paletteEntries() {
  std::vector<PaletteEntry> entries;
  for (QAction* action : menuBar()->actions()) {
    if (action->menu() && action->isVisible())
      collectMenu(action->menu(), withoutMnemonic(action->text()), recent_, entries);
  }
  addParameters(entries);
  addCommandsElsewhere(entries);
  addFiles(entries);
  addStudies(entries);
  addModel(entries);
  disambiguate(entries);
  return entries;
}

}  // namespace sepx::app
