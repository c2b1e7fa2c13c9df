// SPDX-License-Identifier: Apache-2.0
// The parts around the picture in the studio's real window that are the same on every page: the icons of the tool bar,
// the palette that finds things of all exhibits, the digit keys that choose pages.
#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "app/studio/inspector.h"
#include "app/studio/symbol_text.h"
#include "engine/train/run_config.h"
#include "tests/folders.h"
#include "tests/hosts/studio_rig.h"
#include "ui/runs/runs.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFontMetricsF>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QProxyStyle>
#include <QPushButton>
#include <QStyleOption>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QToolTip>

namespace {

using namespace sepx;
using tests::Studio;

std::vector<std::string> choicesOf(Studio& studio, const std::string& key) {
  const auto found = studio.workbench().find(key);
  REQUIRE((found && found->property));
  return found->property->choices;
}

void show(Studio& studio, const std::string& exhibit, const std::string& page) {
  REQUIRE(studio.workbench().set("exhibit", exhibit));
  REQUIRE(studio.workbench().set(exhibit + ".page", page));
  studio.window->wake();
  studio.settle();
}

const app::PaletteEntry* entryOf(const std::vector<app::PaletteEntry>& entries, const char* group, const char* key) {
  const auto found = std::ranges::find_if(entries, [&](const app::PaletteEntry& one) {
    return one.group == QLatin1String(group) &&
           (one.key == QLatin1String(key) || one.title.contains(QLatin1String(key)));
  });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("The icons of the tool bar have the same positions on every page of every exhibit") {
  Studio studio;
  auto& bar = studio.child<QToolBar>("tools");
  const std::set<QString> fixed{
      QStringLiteral("file.open"),      QStringLiteral("edit.undo"),       QStringLiteral("play.toggle"),
      QStringLiteral("view.zoom-in"),   QStringLiteral("view.zoom-out"),   QStringLiteral("view.reset"),
      QStringLiteral("view.split-one"), QStringLiteral("view.split-two"),  QStringLiteral("view.split-four"),
      QStringLiteral("help.explain"),   QStringLiteral("jobs.cancel-page")};
  std::map<QString, std::set<int>> places;
  int standIns = 0;
  for (const std::string& exhibit : choicesOf(studio, "exhibit")) {
    for (const std::string& page : choicesOf(studio, exhibit + ".page")) {
      show(studio, exhibit, page);
      QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
      INFO(exhibit << ' ' << page);
      std::size_t seen = 0;
      for (QAction* const action : bar.actions()) {
        const QString name = action->objectName().section(u'#', 0, 0);
        if (fixed.count(name) == 0) continue;
        QWidget* const button = bar.widgetForAction(action);
        REQUIRE(button);
        CHECK(button->isVisible());
        CHECK(std::min(button->width(), button->height()) >= 24);
        places[name].insert(button->x());
        ++seen;
        if (!action->objectName().contains(u'#')) continue;
        ++standIns;
        CHECK_FALSE(action->isEnabled());
        CHECK_FALSE(action->icon().isNull());
        CHECK_FALSE(action->text().isEmpty());
      }
      CHECK(seen == fixed.size());
    }
  }
  for (const auto& [name, all] : places) {
    INFO(name.toStdString());
    CHECK(all.size() == 1);
  }
  CHECK(standIns > 0);
}

TEST_CASE("In a small window no words of the tool bar are truncated") {
  Studio studio;
  studio.window->resize(640, 400);
  studio.settle();
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  auto& bar = studio.child<QToolBar>("tools");
  std::size_t words = 0;
  for (QAction* const action : bar.actions()) {
    QWidget* const button = bar.widgetForAction(action);
    if (!button || !button->isVisible() || !action->icon().isNull() || action->isSeparator()) continue;
    INFO(action->text().toStdString());
    CHECK(button->width() >= button->sizeHint().width());
    ++words;
  }
  CHECK(words > 1);
}

static QImage drawnBy(const QStyle& style, QStyle::ControlElement element, const QStyleOption& option) {
  QImage image(option.rect.size(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  style.drawControl(element, &option, &painter, nullptr);
  return image;
}

TEST_CASE("Widgets draw the symbols in their texts") {
  Studio studio;
  QProxyStyle fusion(QStringLiteral("Fusion"));
  const auto pictures = [&fusion](QWidget& set, QWidget& typed) {
    typed.setStyle(&fusion);
    for (QWidget* const widget : {&set, &typed})
      widget->resize(240, 30);
    return std::pair(set.grab().toImage(), typed.grab().toImage());
  };
  for (const bool symbols : {true, false}) {
    const QString words = symbols ? QStringLiteral("Rows of W_qk") : QStringLiteral("Rows of weights");
    QLabel label(words), typedLabel(words);
    QPushButton button(words), typedButton(words);
    QListWidget rows;
    rows.addItem(words);
    QMenu menu;
    menu.addAction(words + QStringLiteral("\tCtrl+Y"));
    for (const auto& [set, typed] : {pictures(label, typedLabel), pictures(button, typedButton)})
      CHECK((set != typed) == symbols);
    // Rows are higher than those of Fusion, so rows and entries are drawn in rectangles of the same size.
    QStyleOptionViewItem row;
    row.features = QStyleOptionViewItem::HasDisplay;
    QStyleOptionMenuItem entry;
    entry.menuItemType = QStyleOptionMenuItem::Normal;
    for (QStyleOption* const option : {static_cast<QStyleOption*>(&row), static_cast<QStyleOption*>(&entry)}) {
      option->rect = {0, 0, 240, 30};
      option->state = QStyle::State_Enabled;
    }
    row.text = words;
    entry.text = words + QStringLiteral("\tCtrl+Y");
    const QStyle& own = *QApplication::style();
    CHECK((drawnBy(own, QStyle::CE_ItemViewItem, row) != drawnBy(fusion, QStyle::CE_ItemViewItem, row)) == symbols);
    const QImage shown = drawnBy(own, QStyle::CE_MenuItem, entry);
    CHECK((shown != drawnBy(fusion, QStyle::CE_MenuItem, entry)) == symbols);
    entry.text = QStringLiteral("\tCtrl+Y");
    CHECK(shown != drawnBy(own, QStyle::CE_MenuItem, entry));
    CHECK(rows.visualItemRect(rows.item(0)).height() >= 24);
    CHECK(menu.actionGeometry(menu.actions().front()).height() >= 24);
  }
  const QLabel label(QStringLiteral("W_qk"));
  CHECK(app::typesetWidth(label.text(), label.font()) < QFontMetricsF(label.font()).horizontalAdvance(label.text()));
}

TEST_CASE("The buttons in the title of a dock are large enough, do not overlap and are inside it") {
  Studio studio;
  studio.settle();
  for (QDockWidget* const dock : studio.window->findChildren<QDockWidget*>()) {
    if (!dock->isVisible()) continue;
    INFO(dock->objectName().toStdString());
    QList<QRect> places;
    for (auto* button : dock->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly)) {
      CHECK(std::min(button->width(), button->height()) >= 24);
      CHECK(dock->rect().contains(button->geometry()));
      CHECK(button->geometry().bottom() < dock->widget()->geometry().top());
      for (const QRect& other : places)
        CHECK_FALSE(button->geometry().intersects(other));
      places << button->geometry();
    }
    CHECK(places.size() == 2);
  }
}

TEST_CASE("The palette finds entries of other exhibits, and all of its rows are different") {
  Studio studio;
  REQUIRE(studio.text("exhibit") == "flow");
  const auto entries = studio.window->paletteEntries();
  std::set<std::pair<QString, QString>> rows;
  for (const auto& one : entries) {
    INFO(one.title.toStdString() << " | " << one.grey().toStdString());
    CHECK(rows.insert({one.title, one.grey()}).second);
  }
  const auto* const rate = entryOf(entries, "Parameter", "training.own.optimisation.learning_rate");
  REQUIRE(rate);
  CHECK(rate->where.startsWith(QStringLiteral("Training \u203a ")));
  CHECK_FALSE(rate->detail.isEmpty());
  rate->run();
  studio.settle();
  CHECK(studio.text("exhibit") == "training");
  CHECK(studio.text("training.page") == "own");
  REQUIRE(studio.window->focusWidget());
  CHECK(studio.window->focusWidget()->objectName() == QLatin1String("training.own.optimisation.learning_rate"));

  const auto later = studio.window->paletteEntries();
  const auto* const page = entryOf(later, "Exhibit", "reversal.page-routing");
  REQUIRE(page);
  CHECK(page->where == QLatin1String("Reversal"));
  page->run();
  studio.settle();
  CHECK(studio.text("exhibit") == "reversal");
  CHECK(studio.text("reversal.page") == "routing");
}

TEST_CASE("The palette finds runs, recent files, and the layers and tensors of the open model") {
  Studio studio;
  const auto config = train::parseRunConfig(
      R"({"name":"tiny","model":{"layers":1,"d_model":8,"heads":1,"length":8},"schedule":{"steps":3,"batch":2}})",
      "test", {});
  REQUIRE(config);
  const auto run = studio.workbench().runs().start(*config);
  REQUIRE(run);
  REQUIRE(Studio::waitFor([&] {
    studio.window->wake();
    QTest::qWait(20);
    return (*run)->state() == train::RunState::Finished;
  }));
  studio.drop(tests::sourceFolder() + "/assets/models/encoder");
  show(studio, "flow", "plane");
  const auto entries = studio.window->paletteEntries();
  const auto* const tiny = entryOf(entries, "Run", "tiny");
  REQUIRE(tiny);
  CHECK(entryOf(entries, "Recent file", "encoder"));
  const auto* const model = entryOf(entries, "Open model", "Encoder");
  REQUIRE(model);
  const auto tensors =
      std::ranges::count_if(entries, [](const auto& one) { return one.group == QLatin1String("Tensor"); });
  CHECK(tensors > 5);
  const auto* const layer = entryOf(entries, "Layer", "layer 1");
  REQUIRE(layer);
  CHECK(layer->where == model->title);
  layer->run();
  studio.settle();
  CHECK(studio.text("exhibit") == "weights");
  CHECK(studio.real("weights.layer") == 1);
  const auto* const tensor = entryOf(entries, "Tensor", "embed");
  REQUIRE(tensor);
  tensor->run();
  studio.settle();
  CHECK(studio.text("weights.page") == "mapping");
  CHECK(studio.text("weights.mapping.tensor") == tensor->title.toStdString());
  tiny->run();
  studio.settle();
  CHECK(studio.text("exhibit") == "training");
  CHECK(studio.text("training.page") == "curves");
  CHECK(studio.text("training.runs[0].folder") == (*run)->folder());
}

TEST_CASE("A digit key chooses a page in every exhibit except in a text field, and the tooltip of the tab shows it") {
  Studio studio;
  for (const std::string& exhibit : choicesOf(studio, "exhibit")) {
    const auto pages = choicesOf(studio, exhibit + ".page");
    show(studio, exhibit, pages.front());
    const auto commands = studio.workbench().commands();
    for (std::size_t i = 1; i < std::min<std::size_t>(pages.size(), 9); ++i) {
      INFO(exhibit << ' ' << pages[i]);
      const auto command = std::ranges::find(commands, exhibit + ".page-" + pages[i], &ui::Workbench::Command::key);
      REQUIRE(command != commands.end());
      CHECK(command->shortcut == std::to_string(i + 1));
      if (!command->enabled) continue;
      QTest::keyClick(&studio.viewport(), Qt::Key(Qt::Key_0 + int(i) + 1));
      studio.settle();
      CHECK(studio.text((exhibit + ".page").c_str()) == pages[i]);
    }
    QTest::keyClick(&studio.viewport(), Qt::Key_1);
    studio.settle();
    CHECK(studio.text((exhibit + ".page").c_str()) == pages.front());
    QLineEdit& search = *studio.window->inspector().searchField();
    search.setFocus();
    REQUIRE(Studio::waitFor([&] { return search.hasFocus(); }));
    QTest::keyClick(&search, Qt::Key_2);
    studio.settle();
    CHECK(search.text() == QLatin1String("2"));
    CHECK(studio.text((exhibit + ".page").c_str()) == pages.front());
    search.clear();
    studio.window->viewport().activate();
  }
  show(studio, "flow", "plane");
  const auto place = studio.workbench().controlAt("flow.page-space");
  REQUIRE(place);
  const double ratio = studio.window->viewport().pixelRatio();
  QTest::mouseMove(&studio.viewport(), QPoint(200, 200));
  QTest::mouseMove(&studio.viewport(), QPoint(int(place->x / ratio), int(place->y / ratio)));
  CHECK(Studio::waitFor([] { return QToolTip::isVisible() && QToolTip::text().contains(QLatin1String("(2)")); }));
  QToolTip::hideText();
}
