// SPDX-License-Identifier: Apache-2.0
// Use without a pointer or with a screen reader: every control of the window and of each dialog has a name, every
// command can be reached by keyboard, and Tab goes through every field of the inspector.
#include <optional>
#include <set>

#include "app/studio/accessible_picture.h"
#include "app/studio/command_palette.h"
#include "app/studio/export_dialog.h"
#include "app/studio/inspector.h"
#include "app/studio/messages_dialog.h"
#include "app/studio/mnemonics.h"
#include "app/studio/preferences.h"
#include "app/studio/restore_dialog.h"
#include "tests/folders.h"
#include "tests/hosts/studio_rig.h"
#include "ui/workbench/chord.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

namespace {

using namespace sepx;
using tests::Studio;

/// Roles that a user operates or a screen reader announces as a unit.
bool isControl(QAccessible::Role role) {
  switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::ButtonDropDown:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::EditableText:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::ComboBox:
    case QAccessible::MenuItem:
    case QAccessible::List:
    case QAccessible::Tree:
    case QAccessible::Table:
    case QAccessible::ProgressBar:
    case QAccessible::PageTab:
    case QAccessible::ToolBar:
    case QAccessible::Dialog:
      return true;
    default:
      return false;
  }
}

struct Walk {
  int controls = 0;
  QStringList unnamed;

  void into(QAccessibleInterface* at, const QString& path) {
    if (!at || !at->isValid() || at->state().invisible) return;
    const QObject* object = at->object();
    const QString here = path + u'/' + (object ? QString::fromLatin1(object->metaObject()->className()) : QString()) +
                         u':' + (object ? object->objectName() : QString::number(int(at->role())));
    const bool separator = at->role() == QAccessible::Separator;
    if (isControl(at->role()) && !separator) {
      ++controls;
      if (at->text(QAccessible::Name).trimmed().isEmpty()) unnamed << here;
    }
    for (int i = 0; i < at->childCount(); ++i)
      into(at->child(i), here);
  }
};

void requireNamed(QWidget& top, int least) {
  // Writes a picture of the tested widget to this folder, for inspection.
  if (const QString folder = qEnvironmentVariable("SEPX_LOOK"); !folder.isEmpty()) {
    static int count = 0;
    QTest::qWait(50);
    top.grab().save(folder + QStringLiteral("/%1-%2.png").arg(top.objectName()).arg(++count));
  }
  Walk walk;
  walk.into(QAccessible::queryAccessibleInterface(&top), {});
  INFO(walk.unnamed.join(u'\n').toStdString());
  CHECK(walk.unnamed.isEmpty());
  CHECK(walk.controls >= least);
}

/// Checks that each entry of the menus has a mnemonic letter that its siblings do not have. Collects the entries.
void walkMenu(const QList<QAction*>& entries, const QString& path, std::set<QString>& reached) {
  std::set<QChar> letters;
  for (QAction* entry : entries) {
    if (entry->isSeparator() || !entry->isVisible()) continue;
    INFO((path + entry->text()).toStdString());
    const QKeySequence mnemonic = QKeySequence::mnemonic(entry->text());
    if (entry->shortcut().isEmpty()) CHECK_FALSE(mnemonic.isEmpty());
    if (!mnemonic.isEmpty()) CHECK(letters.insert(QChar(ushort(mnemonic[0].key()))).second);
    CHECK_FALSE(app::withoutMnemonic(entry->text()).isEmpty());
    reached.insert(entry->objectName());
    if (entry->menu()) walkMenu(entry->menu()->actions(), path + entry->text() + u'/', reached);
  }
}

}  // namespace

TEST_CASE("Every control of the window has a name for a screen reader") {
  Studio studio;
  studio.addPoint(tests::kBad);
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  studio.window->wake();
  studio.settle();
  for (auto* dock : studio.window->findChildren<QDockWidget*>()) {
    if (dock->isHidden()) dock->toggleViewAction()->trigger();
  }
  studio.settle();
  requireNamed(*studio.window, 60);
}

TEST_CASE("Every control of the dialogs has a name") {
  Studio studio;
  SECTION("palette") {
    app::CommandPalette dialog(studio.window->paletteEntries(), studio.window.get());
    dialog.show();
    requireNamed(dialog, 3);
  }
  SECTION("preferences") {
    app::Preferences dialog(studio.session->settings(), studio.window.get());
    dialog.show();
    requireNamed(dialog, 10);
  }
  SECTION("export, for each format") {
    app::ExportDialog dialog(studio.workbench(), studio.session->settings(), {}, studio.window.get());
    dialog.show();
    auto* format = dialog.findChild<QComboBox*>(QStringLiteral("export.format"));
    REQUIRE(format);
    for (int i = 0; i < format->count(); ++i) {
      format->setCurrentIndex(i);
      emit format->activated(i);
      requireNamed(dialog, 4);
    }
  }
  SECTION("messages") {
    app::MessagesDialog dialog(studio.workbench(), QStringLiteral("about"), studio.window.get());
    dialog.show();
    requireNamed(dialog, 4);
  }
  SECTION("unsaved work") {
    app::RestoreDialog dialog({{"file", "title", "/path", 0}}, studio.window.get());
    dialog.show();
    requireNamed(dialog, 4);
  }
}

TEST_CASE("Every command of the workbench can be reached by keyboard") {
  Studio studio;
  std::set<QString> reached;
  walkMenu(studio.window->menuBar()->actions(), {}, reached);
  for (const auto& command : studio.workbench().commands()) {
    INFO(command.key);
    const bool chord = !command.shortcut.empty() && ui::parseChord(command.shortcut);
    CHECK((chord || reached.count(QString::fromStdString(command.key)) > 0));
    if (!command.menu.empty()) CHECK(reached.count(QString::fromStdString(command.key)) > 0);
  }
}

TEST_CASE("A menu can be operated by its mnemonic letters") {
  Studio studio;
  REQUIRE(studio.workbench().theme() == "dark");
  const auto letterOf = [](const QAction& entry) { return Qt::Key(QKeySequence::mnemonic(entry.text())[0].key()); };
  QAction* view = nullptr;
  for (QAction* menu : studio.window->menuBar()->actions()) {
    if (app::withoutMnemonic(menu->text()) == QLatin1String("View")) view = menu;
  }
  REQUIRE(view);
  QTest::keyClick(studio.window.get(), letterOf(*view), Qt::AltModifier);
  REQUIRE(Studio::waitFor([&] { return view->menu()->isVisible(); }));
  QAction* theme = nullptr;
  for (QAction* entry : view->menu()->actions()) {
    if (entry->menu() && app::withoutMnemonic(entry->text()) == QLatin1String("Theme")) theme = entry;
  }
  REQUIRE(theme);
  QTest::keyClick(view->menu(), letterOf(*theme));
  REQUIRE(Studio::waitFor([&] { return theme->menu()->isVisible(); }));
  QAction* light = theme->menu()->actions().at(1);
  QTest::keyClick(theme->menu(), letterOf(*light));
  REQUIRE(Studio::waitFor([&] { return studio.workbench().theme() == light->data().toString().toStdString(); }));
  CHECK(studio.workbench().theme() != "dark");
  studio.settle();
}

TEST_CASE("Tab goes through every field of the inspector") {
  Studio studio;
  studio.addPoint(tests::kBad);
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  studio.window->wake();
  studio.settle();
  app::Inspector& inspector = studio.window->inspector();
  QTest::keyClick(studio.window.get(), Qt::Key_F8);
  REQUIRE(Studio::waitFor(
      [&] { return QApplication::focusWidget() && inspector.isAncestorOf(QApplication::focusWidget()); }));
  std::set<QWidget*> wanted, visited;
  for (auto* widget : inspector.findChildren<QWidget*>()) {
    const bool byTab = (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy();
    const bool inner = qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr;
    if (byTab && !inner && widget->isVisible() && widget->isEnabled()) wanted.insert(widget);
  }
  REQUIRE(wanted.size() > 15);
  for (std::size_t i = 0; i < 4 * wanted.size(); ++i) {
    QWidget* now = QApplication::focusWidget();
    if (!now) break;
    visited.insert(now);
    if (!inspector.isAncestorOf(now)) break;
    QTest::keyClick(now, Qt::Key_Tab);
  }
  for (QWidget* widget : wanted) {
    INFO(widget->objectName().toStdString() << " " << widget->accessibleName().toStdString());
    CHECK(visited.count(widget) == 1);
  }
  QTest::keyClick(studio.window.get(), Qt::Key_F7);
  studio.settle();
}

namespace {

QAccessibleInterface* childNamed(QAccessibleInterface& parent, const char* identifier) {
  for (int i = 0; i < parent.childCount(); ++i)
    if (QAccessibleInterface* const one = parent.child(i);
        one->text(QAccessible::UserText) == QLatin1String(identifier))
      return one;
  return nullptr;
}

QString namesOf(QAccessibleInterface& parent) {
  QStringList names;
  for (int i = 0; i < parent.childCount(); ++i)
    names << parent.child(i)->text(QAccessible::UserText);
  return names.join(u' ');
}

/// The names of the objects that got the focus and the new descriptions, as a screen reader receives them.
struct Heard {
  static QStringList& described() {
    static QStringList all;
    return all;
  }
  static QStringList& focused() {
    static QStringList all;
    return all;
  }
  static void hear(QAccessibleEvent* event) {
    if (event->type() == QAccessible::Focus && event->accessibleInterface())
      focused() << event->accessibleInterface()->text(QAccessible::Name);
    if (event->type() == QAccessible::DescriptionChanged && event->accessibleInterface())
      described() << event->accessibleInterface()->text(QAccessible::Description);
  }
  Heard() {
    INFO("run by tests/hosts/with_assistive_bus");
    REQUIRE(Studio::waitFor([] { return QAccessible::isActive(); }));
    focused().clear();
    described().clear();
    QAccessible::installUpdateHandler(hear);
  }
  ~Heard() { QAccessible::installUpdateHandler(nullptr); }
};

void keyInPicture(Studio& studio, Qt::Key key) {
  QTest::keyClick(&studio.viewport(), key);
  studio.settle();
}

}  // namespace

TEST_CASE("Points of the picture are its children at their positions, and the selected one is announced",
          "[.][heard]") {
  Studio studio;
  const Heard heard;
  studio.addPoint(tests::kBad);
  REQUIRE(studio.workbench().addPoint({tests::kGood.x, tests::kGood.y}));
  REQUIRE(studio.workbench().set("flow.selected", -1.0));
  studio.window->wake();
  studio.settle();
  QAccessibleInterface* const picture = QAccessible::queryAccessibleInterface(studio.window->viewport().widget());
  REQUIRE(picture);
  CHECK(picture->text(QAccessible::Name) == QLatin1String("Picture of the exhibit"));
  QAccessibleInterface* const points = childNamed(*picture, "flow.points");
  REQUIRE(points);
  CHECK(points->role() == QAccessible::Graphic);
  REQUIRE(points->childCount() == 2);
  QAccessibleInterface* const second = points->child(1)->child(0);
  CHECK(second->text(QAccessible::Value).startsWith(QLatin1String("point 2 of 2")));
  const QPoint shown = studio.viewport().mapToGlobal(studio.at(tests::kGood));
  CHECK((second->rect().center() - shown).manhattanLength() <= 3);
  CHECK(points->indexOfChild(points->child(1)) == 1);
  CHECK(points->child(1)->parent() == points);
  keyInPicture(studio, Qt::Key_Tab);
  keyInPicture(studio, Qt::Key_Tab);
  CHECK(studio.real("flow.selected") == 1);
  INFO(heard.focused().join(u'\n').toStdString());
  CHECK(heard.focused().contains(second->text(QAccessible::Name)));
}

TEST_CASE("Messages over the picture are announced", "[.][heard]") {
  Studio studio;
  const Heard heard;
  studio.workbench().say({.text = "Saved figure.pdf", .passes = true});
  studio.window->wake();
  studio.settle();
  INFO(heard.described().join(u'\n').toStdString());
  CHECK(heard.described().contains(QLatin1String("Saved figure.pdf")));
}

TEST_CASE("Tab and arrow keys go through the series of a chart and the cells of a matrix, and each value is announced",
          "[.][heard]") {
  Studio studio;
  const Heard heard;
  REQUIRE(studio.workbench().set("exhibit", std::string("training")));
  REQUIRE(studio.workbench().set("training.experiment", std::string("encoder-decoder")));
  REQUIRE(studio.workbench().set("training.shipped", true));
  REQUIRE(studio.workbench().set("training.page", std::string("structure")));
  studio.window->wake();
  studio.settle();
  QAccessibleInterface* const picture = QAccessible::queryAccessibleInterface(studio.window->viewport().widget());
  for (const auto& [role, name] : {std::pair(QAccessible::Chart, "chart"), std::pair(QAccessible::Table, "matrix")}) {
    INFO(name);
    QAccessibleInterface* view = nullptr;
    for (int i = 0; i < picture->childCount(); ++i)
      if (QAccessibleInterface* const one = picture->child(i);
          one->role() == role && one->text(QAccessible::Description).contains(QLatin1String(name)))
        view = one;
    INFO(namesOf(*picture).toStdString());
    REQUIRE(view);
    CHECK_FALSE(view->text(QAccessible::Name).isEmpty());
    REQUIRE(view->childCount() > 0);
    for (int i = 0; i < picture->childCount(); ++i) {
      keyInPicture(studio, Qt::Key_Tab);
      if (view->child(0)->child(0)->state().focused) break;
    }
    QAccessibleInterface* const cell = view->child(0)->child(1);
    REQUIRE(cell);
    heard.focused().clear();
    keyInPicture(studio, Qt::Key_Right);
    CHECK(heard.focused() == QStringList(cell->text(QAccessible::Value)));
    CHECK(cell->state().focused);
    CHECK(studio.window->viewport()
              .widget()
              ->rect()
              .translated(studio.window->viewport().widget()->mapToGlobal(QPoint()))
              .intersects(cell->rect()));
  }
  // An assistive program can set the focus itself.
  QAccessibleInterface* const first = picture->child(0);
  REQUIRE(first->actionInterface());
  first->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
  studio.settle();
  CHECK(studio.workbench().reading()->view == first->text(QAccessible::UserText).toStdString());
  keyInPicture(studio, Qt::Key_Escape);
  CHECK_FALSE(studio.workbench().reading());
}

TEST_CASE("The cell at a position is found in one pass over a long series, and only the cell found is registered") {
  constexpr std::size_t kCells = 100'000;
  std::size_t asked = 0;
  ui::ReadableView view;
  view.name = "long";
  view.box = {{0, 0}, {1000, 100}};
  view.rows = 2;
  view.cells = [](std::size_t row) { return row == 0 ? kCells : std::size_t{3}; };
  view.seen = [&asked](std::size_t row, std::size_t cell) -> std::optional<render::Point> {
    ++asked;
    if (row == 0) return render::Point{static_cast<double>(cell) * 1000 / kCells, 30};
    return cell == 1 ? std::nullopt : std::optional(render::Point{500, 80});
  };
  view.place = [](std::size_t, std::size_t) -> std::optional<render::Point> {
    FAIL("a place that is looked for scrolls");
    return std::nullopt;
  };
  using app::cellAt;
  CHECK(cellAt(view, std::nullopt, {700.001, 32}) == ui::ReadableCell{0, 70'000});
  CHECK(asked == kCells + 3);
  CHECK(cellAt(view, 0, {999.99, 30}) == ui::ReadableCell{0, kCells - 1});
  CHECK(cellAt(view, std::nullopt, {503, 78}) == ui::ReadableCell{1, 0});
  CHECK_FALSE(cellAt(view, 1, {700, 30}));
  CHECK_FALSE(cellAt(view, std::nullopt, {700, 50}));  // between the two series
  CHECK_FALSE(cellAt(view, std::nullopt, {700, 130}));
  CHECK_FALSE(cellAt(view, 2, {700, 30}));
}

TEST_CASE("The cell of a matrix at a position is found without the positions of other cells") {
  ui::ReadableView view;
  view.box = {{0, 0}, {500, 500}};
  view.rows = 50'000;
  view.cells = [](std::size_t) { return std::size_t{50'000}; };
  view.place = [](std::size_t, std::size_t) -> std::optional<render::Point> {
    FAIL("a matrix has billions of places");
    return std::nullopt;
  };
  view.under = [](render::Point at) -> std::optional<ui::ReadableCell> {
    if (at.x < 10) return std::nullopt;  // outside the matrix
    return ui::ReadableCell{static_cast<std::size_t>(at.y * 100), static_cast<std::size_t>(at.x * 100)};
  };
  CHECK(app::cellAt(view, std::nullopt, {70.5, 20.25}) == ui::ReadableCell{2025, 7050});
  CHECK(app::cellAt(view, 2025, {70.5, 20.25}) == ui::ReadableCell{2025, 7050});
  CHECK_FALSE(app::cellAt(view, 2024, {70.5, 20.25}));
  CHECK_FALSE(app::cellAt(view, std::nullopt, {5, 20}));
  CHECK_FALSE(app::cellAt(view, std::nullopt, {70, 600}));
}

TEST_CASE("A program that asks for the object under the pointer gets only the view, the series and the point") {
  Studio studio;
  REQUIRE(studio.workbench().set("exhibit", std::string("reversal")));
  REQUIRE(studio.workbench().set("reversal.page", std::string("correlation")));
  studio.window->wake();
  studio.settle();
  const auto* const picture = dynamic_cast<const app::AccessiblePicture*>(
      QAccessible::queryAccessibleInterface(studio.window->viewport().widget()));
  REQUIRE(picture);
  // The last point of the last series in the picture.
  std::optional<ui::ReadingPlace> last;
  std::optional<render::Point> at;
  for (const ui::ReadableView& view : studio.workbench().readable()) {
    if (view.role != ui::ReadableView::Role::Chart) continue;
    for (std::size_t row = 0; row < view.rows; ++row)
      for (std::size_t cell = 0; cell < view.cells(row); ++cell)
        if (const auto place = view.place(row, cell)) last = ui::ReadingPlace{view.name, row, cell}, at = place;
  }
  REQUIRE(last);
  const QPoint screen = picture->onScreen({*at, *at}).topLeft();
  const std::size_t before = picture->registered();
  QAccessibleInterface* const view = picture->childAt(screen.x(), screen.y());
  REQUIRE(view);
  CHECK(view->text(QAccessible::UserText).toStdString() == last->view);
  QAccessibleInterface* const row = view->childAt(screen.x(), screen.y());
  REQUIRE(row);
  QAccessibleInterface* const cell = row->childAt(screen.x(), screen.y());
  REQUIRE(cell);
  CHECK(cell->rect().contains(screen));
  CHECK_FALSE(cell->text(QAccessible::Value).isEmpty());
  CHECK_FALSE(cell->childAt(screen.x(), screen.y()));
  CHECK(picture->registered() <= before + 3);
  CHECK_FALSE(picture->childAt(-10'000, -10'000));
}
