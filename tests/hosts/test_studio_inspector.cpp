// SPDX-License-Identifier: Apache-2.0
// The inspector of the studio's real window: fields, sliders, read-outs, the table of points, its width.
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "app/studio/inspector.h"
#include "engine/core/number.h"
#include "engine/train/run_config.h"
#include "tests/hosts/studio_rig.h"
#include "ui/runs/runs.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QTest>
#include <QTreeWidget>
#include <QWheelEvent>

namespace {

using namespace sepx;
using tests::kBad;
using tests::kGood;
using tests::Studio;

}  // namespace

TEST_CASE("A field of the inspector sets the parameter and refuses invalid values") {
  Studio studio;
  auto& p = studio.child<app::NumberEdit>("flow.p");
  studio.type(p, "0.25");
  CHECK(studio.real("flow.p") == 0.25);
  for (const char* bad : {"1.5", "0", "nan", "many", ""}) {
    INFO("typed: " << bad);
    const auto before = studio.errors();
    studio.type(p, bad);
    CHECK(studio.real("flow.p") == 0.25);
    if (*bad) {
      CHECK(studio.errors() > before);
      CHECK(p.text().toStdString() == "0.25");
    }
    studio.settle();
  }
  QTest::keyClick(&p, Qt::Key_Up);
  CHECK(studio.real("flow.p") == Approx(0.26));
  for (int i = 0; i < 200; ++i)
    p.stepBy(1);
  CHECK(studio.real("flow.p") < 1);
  studio.settle();
}

TEST_CASE("Moving a slider is one step to undo") {
  Studio studio;
  studio.addPoint(kBad);
  const double before = studio.real("flow.q");
  const auto steps = studio.workbench().history().undoSteps();
  auto& slider = studio.child<QSlider>("flow.q#slider");
  slider.setSliderDown(true);
  for (int value = 780; value >= 300; value -= 20) {
    slider.setValue(value);
    QTest::qWait(5);
  }
  slider.setSliderDown(false);
  studio.settle();
  CHECK(studio.real("flow.q") == Approx(0.3).margin(0.01));
  CHECK(studio.workbench().history().undoSteps() == steps + 1);
  REQUIRE(studio.workbench().undo());
  CHECK(studio.real("flow.q") == before);
}

TEST_CASE("The selected point's read-outs are in the inspector, with accessible names") {
  Studio studio;
  studio.addPoint(kBad);
  QTest::mouseClick(&studio.viewport(), Qt::LeftButton, {}, studio.at(kBad), 30);
  studio.settle();
  auto& e = studio.child<app::NumberEdit>("flow.points[].e");
  CHECK(e.isVisible());
  CHECK(e.text().toStdString() == "0.3");
  auto& loss = studio.child<QLabel>("flow.points[].limit.loss");
  CHECK(loss.text().toStdString().find("0.666") == 0);
  CHECK_FALSE(loss.accessibleName().isEmpty());
  CHECK_FALSE(e.accessibleName().isEmpty());
  CHECK_FALSE(e.accessibleDescription().isEmpty());
  for (const auto* widget : studio.window->findChildren<QSlider*>())
    CHECK_FALSE(widget->accessibleName().isEmpty());
  for (const auto* widget : studio.window->findChildren<QComboBox*>())
    CHECK_FALSE(widget->accessibleName().isEmpty());
}

TEST_CASE("A read-out without a value is not listed") {
  Studio studio;
  REQUIRE(studio.workbench().set("exhibit", std::string("reversal")));
  REQUIRE(studio.workbench().set("reversal.page", std::string("correlation")));
  studio.window->wake();
  studio.settle();
  CHECK(studio.child<QLabel>("reversal.correlation.mean").isVisible());
  CHECK_FALSE(studio.child<QLabel>("reversal.correlation.failure").isVisible());
}

TEST_CASE("The wheel over a field scrolls the inspector and does not change the field") {
  Studio studio;
  studio.addPoint(kBad);
  // True if the field accepted the wheel event. Qt forwards ignored events to the panel, but only real ones.
  const auto wheel = [](QWidget& over) {
    const QPoint at = over.rect().center();
    QWheelEvent event(at, over.mapToGlobal(at), QPoint(), QPoint(0, -360), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&over, &event);
    return event.isAccepted();
  };
  studio.window->viewport().widget()->setFocus();
  for (QWidget* field : {static_cast<QWidget*>(&studio.child<app::NumberEdit>("flow.p")),
                         static_cast<QWidget*>(&studio.child<QSlider>("flow.q#slider")),
                         static_cast<QWidget*>(&studio.child<QComboBox>("flow.field"))}) {
    INFO(field->objectName().toStdString());
    CHECK_FALSE(wheel(*field));
  }
  CHECK(studio.real("flow.p") == 0.5);
  CHECK(studio.real("flow.q") == 0.8);
  CHECK(studio.text("flow.field") == "ew");
  auto& p = studio.child<app::NumberEdit>("flow.p");
  p.setFocus();
  REQUIRE(Studio::waitFor([&] { return p.hasFocus(); }));
  CHECK(wheel(p));
  CHECK(studio.real("flow.p") < 0.5);  // a field with the focus accepts the wheel
  studio.settle();
}

TEST_CASE("The inspector shows the parameters of the chosen field and of no other field") {
  Studio studio;
  studio.addPoint(kBad);
  const auto shown = [&](const char* key) { return studio.child<QWidget>(key).isVisible(); };
  CHECK(shown("flow.p"));
  CHECK_FALSE(shown("flow.duffing.delta"));
  REQUIRE(studio.workbench().set("flow.field", std::string("duffing")));
  studio.window->wake();
  studio.settle();
  CHECK_FALSE(shown("flow.p"));
  CHECK(shown("flow.duffing.delta"));
  CHECK_FALSE(shown("flow.entropy.rate"));
}

TEST_CASE("The table shows each point with its limit in words, and a click selects a point") {
  Studio studio;
  studio.addPoint(kBad);
  studio.addPoint(kGood);
  auto& table = studio.child<QTreeWidget>("flow.points");
  REQUIRE(table.topLevelItemCount() == 2);
  CHECK(table.topLevelItem(0)->text(1).toStdString() == "0.3000");
  const auto column = [&table](const char* title) {
    for (int at = 0; at < table.columnCount(); ++at)
      if (!table.isColumnHidden(at) && table.headerItem()->text(at) == QString::fromUtf8(title)) return at;
    FAIL("no column " << title);
    return -1;
  };
  const int end = column("ends in");
  CHECK(table.topLevelItem(0)->text(end).toStdString() == "local minimum");
  CHECK(table.topLevelItem(1)->text(end).toStdString() == "global minimum");
  CHECK_FALSE(table.topLevelItem(0)->icon(end).isNull());
  const auto rate = formatFixed(studio.real("flow.points[0].rate.theory"), 6);
  CHECK(table.topLevelItem(0)->text(column("Rate by theory")).toStdString() == rate);
  CHECK(table.topLevelItem(1)->text(column("Rate by theory")).toStdString() == "\u2013");
  CHECK(table.headerItem()->text(3) == "a");
  CHECK(table.isColumnHidden(3));  // a column of another page
  CHECK(table.horizontalScrollBar()->maximum() > 0);
  CHECK(table.verticalScrollBar()->maximum() == 0);  // a few points fit above the horizontal scroll bar
  for (const int index : {0, 1}) {
    const QRect row = table.visualItemRect(table.topLevelItem(index));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, QPoint(30, row.center().y()));
    CHECK(studio.real("flow.selected") == index);
  }
  REQUIRE(studio.workbench().set("flow.points[1].color", std::string("#d62728")));
  studio.window->wake();
  studio.settle();
  CHECK_FALSE(table.topLevelItem(1)->icon(0).isNull());
  CHECK(table.topLevelItem(0)->icon(0).isNull());
}

TEST_CASE("Thousands of points are added to and removed from the table at once") {
  constexpr int kMany = 3000;
  Studio studio;
  studio.addPoint(kBad);
  auto& table = studio.child<QTreeWidget>("flow.points");
  REQUIRE(table.topLevelItemCount() == 1);
  REQUIRE(studio.workbench().set("flow.sampling.count", double(kMany)));
  REQUIRE(studio.workbench().set("flow.sampling.mode", std::string("add")));
  // The work is measured by the signals of the model, because the view computes its layout after each of them.
  int inserted = 0, removed = 0, changed = 0;
  QObject::connect(table.model(), &QAbstractItemModel::rowsInserted, &table, [&] { ++inserted; });
  QObject::connect(table.model(), &QAbstractItemModel::rowsRemoved, &table, [&] { ++removed; });
  QObject::connect(table.model(), &QAbstractItemModel::dataChanged, &table, [&] { ++changed; });
  const auto comesTo = [&](int count) {
    studio.window->wake();
    return Studio::waitFor([&] { return table.topLevelItemCount() == count; });
  };
  REQUIRE(studio.workbench().run("flow.sample-gauss"));
  REQUIRE(comesTo(kMany + 1));
  CHECK(inserted == 1);
  CHECK(removed == 0);
  table.scrollToBottom();
  changed = 0;
  REQUIRE(studio.workbench().undo());
  REQUIRE(comesTo(1));
  CHECK(inserted == 1);
  CHECK(removed == 1);
  CHECK(changed < 200);  // only a few rows, however many were removed
  CHECK(table.topLevelItem(0)->text(1).toStdString() == "0.3000");
  changed = 0;
  REQUIRE(studio.workbench().redo());
  REQUIRE(comesTo(kMany + 1));
  CHECK(inserted == 2);
  CHECK(changed < kMany / 2);
  CHECK(table.topLevelItem(1)->text(1) != QString());
  REQUIRE(studio.workbench().undo());
  REQUIRE(comesTo(1));
  studio.settle();
}

TEST_CASE("The inspector adds many points with a button, and shows the most used parameters first") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.sampling.count", 9.0));
  REQUIRE(studio.workbench().set("flow.sampling.mode", std::string("add")));
  int points = 1;
  for (const char* name : {"flow.sample-grid", "flow.sample-ring", "flow.sample-gauss"}) {
    auto& button = studio.child<QPushButton>(name);
    CHECK_FALSE(button.accessibleName().isEmpty());
    REQUIRE(button.isVisibleTo(studio.window.get()));
    button.click();
    studio.settle();
    points += 9;
    CHECK(studio.workbench().document().at("flow.points").size() == std::size_t(points));
  }
  // The order: parameters, points, the selected point, then the group of the page.
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  REQUIRE(studio.workbench().set("flow.page", std::string("optimisers")));
  studio.window->wake();
  studio.settle();
  app::Inspector& inspector = studio.window->inspector();
  const auto topOf = [&](const char* name) {
    auto& field = studio.child<QWidget>(name);
    REQUIRE(field.isVisibleTo(&inspector));
    return field.mapTo(inspector.widget(), QPoint(0, 0)).y();
  };
  CHECK(topOf("flow.p") < topOf("flow.points"));
  CHECK(topOf("flow.points") < topOf("flow.points[].e"));
  CHECK(topOf("flow.points[].e") < topOf("flow.optimisers.sgd.rate"));
  CHECK(topOf("flow.optimisers.sgd.rate") < topOf("inspector.group.sampling"));
}

TEST_CASE("The inspector has the same width on every page of every exhibit, and truncates no field") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.selected", 0.0));
  app::Inspector& inspector = studio.window->inspector();
  const auto& dock = studio.child<QDockWidget>("inspector");
  std::set<int> widths;
  const auto look = [&](const std::string& where) {
    studio.window->wake();
    studio.settle();
    INFO(where);
    widths.insert(dock.width());
    CHECK(inspector.widget()->minimumSizeHint().width() <= inspector.viewport()->width());
  };
  const auto exhibits = studio.workbench().find("exhibit");
  REQUIRE((exhibits && exhibits->property));
  REQUIRE(exhibits->property->choices.size() >= 4);
  for (const std::string& exhibit : exhibits->property->choices) {
    REQUIRE(studio.workbench().set("exhibit", exhibit));
    look(exhibit);
    const auto page = studio.workbench().find(exhibit + ".page");
    REQUIRE((page && page->property));
    for (const std::string& word : page->property->choices) {
      REQUIRE(studio.workbench().set(exhibit + ".page", word));
      look(exhibit + (" " + word));
    }
  }
  CHECK(widths.size() == 1);
}

TEST_CASE("A check box that enables or disables rows does not move the rows below") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.page", std::string("optimisers")));
  studio.window->wake();
  studio.settle();
  const app::Inspector& inspector = studio.window->inspector();
  auto& toggle = studio.child<QCheckBox>("flow.optimisers.sgd.show");
  auto& rate = studio.child<app::NumberEdit>("flow.optimisers.sgd.rate");
  auto& below = studio.child<QCheckBox>("flow.optimisers.adamw.sampled");
  const auto place = [&](QWidget& widget) { return widget.mapTo(inspector.widget(), QPoint(0, 0)).y(); };
  REQUIRE(toggle.isChecked());
  CHECK(rate.isEnabled());
  int before = -1;  // rows of the previous page are removed at the next refresh
  REQUIRE(Studio::waitFor([&] {
    QTest::qWait(300);
    return std::exchange(before, place(below)) == place(below);
  }));
  REQUIRE(before > place(rate));
  toggle.click();
  studio.settle();
  CHECK(rate.isVisibleTo(&inspector));
  CHECK_FALSE(rate.isEnabled());
  CHECK(place(below) == before);
  toggle.click();
  studio.settle();
  CHECK(rate.isEnabled());
  CHECK(place(below) == before);
}

namespace {

/// The library of a studio with one finished run, which is selected.
void showLibrary(Studio& studio) {
  const auto config = train::parseRunConfig(
      R"({"name":"tiny","model":{"layers":1,"d_model":8,"heads":1,"length":8},"schedule":{"steps":3,"batch":2}})",
      "test", {});
  INFO((config ? "" : config.error().message));
  REQUIRE(config);
  const auto run = studio.workbench().runs().start(*config);
  REQUIRE(run);
  REQUIRE(studio.workbench().set("exhibit", std::string("training")));
  REQUIRE(studio.workbench().set("training.page", std::string("library")));
  REQUIRE(studio.workbench().set("training.library.view", std::string("table")));
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return (*run)->state() == train::RunState::Finished; }));
  REQUIRE(studio.workbench().run("training.library-read"));
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return studio.text("training.library.names").find("tiny") == 0; }));
  REQUIRE(studio.workbench().set("training.library.selected", studio.text("training.library.names")));
  studio.window->wake();
  studio.settle();
}

}  // namespace

TEST_CASE("Keys that edit a field of the inspector do not reach the picture or a command") {
  Studio studio;
  showLibrary(studio);
  const std::string selected = studio.text("training.library.selected");
  auto& filter = studio.child<QLineEdit>("training.library.filter");
  REQUIRE(filter.isVisible());
  filter.setFocus();
  QTest::keyClicks(&filter, QStringLiteral("step >= 0"));
  QTest::keyClick(&filter, Qt::Key_Return);
  studio.settle();
  CHECK(studio.text("training.library.filter") == "step >= 0");
  CHECK(studio.text("training.page") == "library");  // in the picture, Return opens the selected run
  auto& number = studio.child<app::NumberEdit>("training.step");
  studio.window->inspector().goTo("training.step");  // its group is folded here
  for (QWidget* const field : {static_cast<QWidget*>(&filter), static_cast<QWidget*>(&number)}) {
    INFO(field->objectName().toStdString());
    field->setFocus();
    REQUIRE(Studio::waitFor([&] { return field->hasFocus() || field->focusProxy(); }));
    for (const Qt::Key key :
         {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Up, Qt::Key_Down, Qt::Key_Left,
          Qt::Key_Right, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End, Qt::Key_Insert, Qt::Key_Space}) {
      QTest::keyClick(field, key);
      studio.settle();
      INFO(key);
      CHECK(studio.text("training.page") == "library");
      CHECK(studio.text("training.library.selected") == selected);
      CHECK(studio.workbench().messages().empty());
      CHECK(studio.real("training.library.deleted") == 0);
    }
  }
  studio.window->viewport().activate();
  QTest::keyClick(&studio.viewport(), Qt::Key_Return);
  studio.settle();
  CHECK(studio.text("training.page") == "curves");
}

TEST_CASE("A double click in the library opens the run and does nothing on the page that opens") {
  Studio studio;
  showLibrary(studio);
  const auto place = [&studio]() -> QPoint {
    for (const render::PlacedScene& pane : studio.workbench().scenes())
      for (const render::Layer& layer : pane.scene->layers)
        for (const render::Item& item : layer.items)
          if (const auto* label = std::get_if<render::Label>(&item); label && label->text == "tiny")
            return {int(pane.origin.x + label->at.x) + 12, int(pane.origin.y + label->at.y)};
    FAIL("the run is not in the picture");
    return {};
  };
  const QPoint at = place();
  QTest::mouseMove(&studio.viewport(), at);
  QTest::mouseDClick(&studio.viewport(), Qt::LeftButton, {}, at);
  studio.settle();
  REQUIRE(studio.text("training.page") == "curves");
  CHECK(studio.real("training.step") == -1);  // the latest step: no click chose another
  CHECK(studio.text("training.experiment") == "own");
}

TEST_CASE("The rows of an exhibit are created once, and a return shows the same fields with current values") {
  Studio studio;
  const auto show = [&](const char* exhibit) {
    REQUIRE(studio.workbench().set("exhibit", std::string(exhibit)));
    studio.window->wake();
    studio.settle();
  };
  show("weights");
  show("flow");
  const auto* const chain = &studio.child<app::NumberEdit>("flow.p");
  const auto count = [] { return QApplication::allWidgets().size(); };
  const auto widgets = count();
  // Hidden widgets of other exhibits are not found.
  CHECK(studio.window->findChildren<QLabel*>(QStringLiteral("inspector.pane")).size() == 1);
  for (int round = 0; round < 3; ++round) {
    show("weights");
    show("flow");
  }
  CHECK(&studio.child<app::NumberEdit>("flow.p") == chain);
  CHECK(count() == widgets);

  // Values that changed in the meantime are shown, and a field can still be edited.
  show("weights");
  REQUIRE(studio.workbench().set("flow.p", 0.3));
  show("flow");
  CHECK(studio.child<app::NumberEdit>("flow.p").text() == "0.3");
  studio.type(studio.child<app::NumberEdit>("flow.p"), "0.4");
  CHECK(studio.real("flow.p") == 0.4);
}
