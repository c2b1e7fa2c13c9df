// SPDX-License-Identifier: Apache-2.0
// The studio's real window under a virtual display, driven by Qt's own test events: pointer, keys, menus, window
// states, a lost device. Every case ends with no validation message.
#include <functional>
#include <map>

#include <catch2/catch.hpp>

#include "app/data_files.h"
#include "app/studio/inspector.h"
#include "engine/core/number.h"
#include "tests/hosts/studio_rig.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QStatusBar>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>
#include <QUrl>
#include <QWheelEvent>

namespace {

using namespace sepx;
using tests::kBad;
using tests::kGood;
using tests::Studio;

std::size_t errors(ui::Workbench& workbench) {
  std::size_t count = 0;
  for (const auto& message : workbench.messages())
    count += message.level == ui::Message::Level::Error;
  return count;
}

}  // namespace

TEST_CASE("A point dragged with the pointer ends in the other basin, and undo brings it back") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.text("flow.points[0].limit.kind") == "local-min");
  studio.drag(studio.at(kBad), studio.at(kGood));
  studio.settle();
  CHECK(studio.real("flow.points[0].e") == Approx(kGood.x).margin(0.02));
  CHECK(studio.real("flow.points[0].w") == Approx(kGood.y).margin(0.02));
  CHECK(studio.text("flow.points[0].limit.kind") == "global-min");

  QTest::keyClick(studio.window.get(), Qt::Key_Z, Qt::ControlModifier);
  studio.settle();
  CHECK(studio.real("flow.points[0].e") == Approx(kBad.x));
  CHECK(studio.text("flow.points[0].limit.kind") == "local-min");
  QTest::keyClick(studio.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  studio.settle();
  CHECK(studio.text("flow.points[0].limit.kind") == "global-min");
}

TEST_CASE("The window survives resizing, hiding and minimising, and draws again") {
  Studio studio;
  studio.addPoint(kBad);
  const auto drawsAgain = [&](const std::function<void()>& act) {
    const auto before = studio.session->drawn();
    act();
    REQUIRE(Studio::waitFor([&] { return studio.session->drawn() > before; }));
    studio.settle();
  };
  drawsAgain([&] { studio.window->resize(1600, 900); });
  drawsAgain([&] { studio.window->resize(900, 600); });
  CHECK(studio.window->viewport().extent() ==
        gpu::Extent{std::uint32_t(studio.viewport().width()), std::uint32_t(studio.viewport().height())});
  drawsAgain([&] {
    studio.window->hide();
    QTest::qWait(200);
    studio.window->show();
  });
  drawsAgain([&] {
    studio.window->showMinimized();
    QTest::qWait(300);
    studio.window->showNormal();
  });
  drawsAgain([&] { studio.window->showFullScreen(); });
  drawsAgain([&] { studio.window->showNormal(); });
  const auto pixels = studio.session->capture();
  REQUIRE(pixels);
  CHECK(std::adjacent_find(pixels->rgba.begin(), pixels->rgba.end() - 4, [](auto a, auto b) { return a != b; }) !=
        pixels->rgba.end() - 4);
}

TEST_CASE("The inspector's field sets the parameter and refuses what is no value") {
  Studio studio;
  auto& p = studio.child<app::NumberEdit>("flow.p");
  studio.type(p, "0.25");
  CHECK(studio.real("flow.p") == 0.25);
  for (const char* bad : {"1.5", "0", "nan", "many", ""}) {
    INFO("typed: " << bad);
    const auto before = errors(studio.workbench());
    studio.type(p, bad);
    CHECK(studio.real("flow.p") == 0.25);
    if (*bad) {
      CHECK(errors(studio.workbench()) > before);
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

TEST_CASE("A slider's whole move is one step to undo") {
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

TEST_CASE("Menus carry the commands, the step to undo and the theme") {
  Studio studio;
  studio.addPoint(kBad);
  auto& undo = studio.child<QAction>("edit.undo");
  CHECK(undo.isEnabled());
  CHECK(undo.text().size() > 4);  // "Undo" and the step's name
  undo.trigger();
  studio.settle();
  CHECK(studio.real("flow.points.count") == 0);

  const std::string theme = studio.workbench().theme();
  const QColor before = QApplication::palette().color(QPalette::Window);
  studio.child<QAction>("view.theme").trigger();
  REQUIRE(Studio::waitFor([&] { return QApplication::palette().color(QPalette::Window) != before; }));
  CHECK(studio.workbench().theme() != theme);
  studio.settle();

  QTest::keyClick(studio.window.get(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return !studio.window->menuBar()->isVisible(); }));
  QTest::keyClick(studio.window.get(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return studio.window->menuBar()->isVisible(); }));
}

TEST_CASE("A dropped session opens; a dropped file that is none leaves the document as it was") {
  Studio studio;
  const std::string path = tests::freshFolder("drop") + "/work.sepx";
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().save(path));
  REQUIRE(studio.workbench().set("flow.p", 0.125));
  const auto drop = [&](const std::string& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file))});
    QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(studio.window->viewport().receiver(), &event);
    QTest::qWait(100);  // what is dropped is opened once the drop is over
    studio.settle();
  };
  drop(path);
  CHECK(studio.real("flow.p") == 0.5);
  CHECK(studio.window->windowTitle().contains(QLatin1String("work")));
  const auto before = errors(studio.workbench());
  drop("/dev/null");
  CHECK(studio.real("flow.p") == 0.5);
  CHECK(errors(studio.workbench()) > before);
}

TEST_CASE("Closing asks about unsaved changes; a cancelled question keeps the window") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(kBad);
  CHECK(studio.window->isWindowModified());
  int asked = 0;
  const auto answer = [&](QMessageBox::StandardButton button) {
    QTimer::singleShot(200, [&asked, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (!box) return;
      ++asked;
      box->button(button)->click();
    });
    return studio.window->close();
  };
  CHECK_FALSE(answer(QMessageBox::Cancel));
  CHECK(studio.window->isVisible());
  CHECK(answer(QMessageBox::Discard));
  CHECK(asked == 2);
  CHECK_FALSE(studio.window->isVisible());
}

TEST_CASE("The wheel over a field scrolls the inspector and changes nothing") {
  Studio studio;
  studio.addPoint(kBad);
  // True when the field took the wheel; Qt hands what it leaves to the panel, for real events only.
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
  CHECK(studio.real("flow.p") < 0.5);  // chosen before, the field takes the wheel
  studio.settle();
}

TEST_CASE("The inspector shows what the field has, and nothing of another one") {
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

TEST_CASE("A right click opens one menu: that of the point under the pointer, else that of the picture") {
  Studio studio;
  studio.addPoint(kBad);
  studio.window->setAsking(true);
  int menus = 0;
  QTimer watch;
  QObject::connect(&watch, &QTimer::timeout, &watch, [&menus] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    ++menus;
    menu->close();
  });
  watch.start(20);
  const auto rightClick = [&](QPoint at) {
    QTest::mouseMove(&studio.viewport(), at);
    QTest::mouseClick(&studio.viewport(), Qt::RightButton, {}, at, 20);
    QTest::qWait(300);
  };
  rightClick(studio.at(kBad));
  CHECK(menus == 0);
  CHECK(studio.workbench().controlAt("flow.duplicate-point#menu"));
  QTest::mouseClick(&studio.viewport(), Qt::LeftButton, {}, studio.at({-1.2, 1.4}), 20);
  REQUIRE(Studio::waitFor([&] { return !studio.workbench().controlAt("flow.duplicate-point#menu"); }));
  rightClick(studio.at({-0.6, 0.9}));
  CHECK(menus == 1);
  watch.stop();
  studio.window->setAsking(false);
  studio.settle();
}

TEST_CASE("The table names each point and its end in words, and a click selects") {
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
  CHECK(table.isColumnHidden(3));  // of another page
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

TEST_CASE("Thousands of points come and go in the table at once") {
  constexpr int kMany = 3000;
  Studio studio;
  studio.addPoint(kBad);
  auto& table = studio.child<QTreeWidget>("flow.points");
  REQUIRE(table.topLevelItemCount() == 1);
  REQUIRE(studio.workbench().set("flow.sampling.count", double(kMany)));
  REQUIRE(studio.workbench().set("flow.sampling.mode", std::string("add")));
  // The work is counted in what the rows tell the view: it lays itself out after each of them.
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
  CHECK(changed < 200);  // a few rows, whatever went
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

TEST_CASE("The inspector places many points with a button, and what a person changes first stands first") {
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
  // Parameters, points, the selected one; then what belongs to the page.
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
  CHECK(topOf("flow.optimisers.sgd.rate") < topOf("flow.sample-grid"));
}

TEST_CASE("In a narrow window library and inspector fold, and the View menu brings them back") {
  Studio studio;
  auto& library = studio.child<QDockWidget>("library");
  auto& inspector = studio.child<QDockWidget>("inspector");
  const auto resize = [&](int width) {
    studio.window->resize(width, 600);
    REQUIRE(Studio::waitFor([&] { return studio.window->width() == width; }));
    studio.settle();
  };
  CHECK((library.isVisible() && inspector.isVisible()));
  resize(1000);
  CHECK((!library.isVisible() && inspector.isVisible()));
  resize(800);
  CHECK((!library.isVisible() && !inspector.isVisible()));
  CHECK(Studio::waitFor([&] { return studio.window->viewport().extent().width == 800; }));
  inspector.toggleViewAction()->trigger();
  CHECK(inspector.isVisible());
  resize(820);
  CHECK(inspector.isVisible());
  resize(1280);
  CHECK((library.isVisible() && inspector.isVisible()));
  library.toggleViewAction()->trigger();
  resize(1000);
  resize(1280);
  CHECK_FALSE(library.isVisible());  // the person closed it
}

TEST_CASE("A lesson that has begun is not left without a question, and its keys work after a click in the library") {
  Studio studio;
  const auto lesson = app::openingLesson();
  REQUIRE(lesson);
  REQUIRE(studio.open(*lesson));
  studio.settle();
  auto& library = studio.child<QTreeWidget>("lessons");
  studio.window->setAsking(true);
  QTreeWidgetItem* row = library.topLevelItem(0)->child(0);
  REQUIRE(row);
  const auto click = [&](QMessageBox::StandardButton button) {
    int asked = 0;
    QTimer::singleShot(200, [&asked, button] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (!box) return;
      ++asked;
      box->button(button)->click();
    });
    QTest::mouseClick(library.viewport(), Qt::LeftButton, {}, library.visualItemRect(row).center());
    QTest::qWait(300);
    studio.settle();
    return asked;
  };
  CHECK(click(QMessageBox::Cancel) == 0);  // nothing to lose at the first step
  library.setFocus();
  QTest::keyClick(&library, Qt::Key_N);
  REQUIRE(Studio::waitFor([&] { return studio.workbench().lessonStep() == 1; }));
  studio.settle();
  CHECK(click(QMessageBox::Cancel) == 1);
  CHECK(studio.workbench().lessonStep() == 1);
  CHECK(click(QMessageBox::Discard) == 1);
  CHECK(studio.workbench().lessonStep() == 0);
}

TEST_CASE("A saved session brings back the view, and New starts an empty one") {
  Studio studio;
  const std::string path = tests::freshFolder("view") + "/view.sepx";
  studio.addPoint(kBad);
  for (const auto& [key, value] :
       std::map<std::string, double>{{"flow.view.xMin", -1}, {"flow.view.xMax", 3}, {"flow.view.yMin", -2.5}}) {
    REQUIRE(studio.workbench().set(key, value));
  }
  studio.window->wake();
  studio.settle();
  const double xMax = studio.real("flow.view.xMax");
  REQUIRE(studio.workbench().save(path));
  CHECK(studio.window->save());
  CHECK(studio.window->statusBar()->currentMessage().contains(QString::fromStdString(path)));
  CHECK(studio.window->startAnew());
  studio.settle();
  CHECK(studio.real("flow.points.count") == 0);
  CHECK(studio.workbench().path().empty());
  CHECK_FALSE(studio.workbench().modified());
  REQUIRE(studio.open(path));
  studio.settle();
  CHECK(studio.real("flow.view.xMin") == -1);
  CHECK(studio.real("flow.view.xMax") == xMax);
  CHECK(studio.real("flow.view.yMin") == -2.5);
}

TEST_CASE("Nothing is drawn while nothing changes") {
  Studio studio;
  studio.addPoint(kBad);
  QTest::qWait(500);
  const auto before = studio.session->drawn();
  QTest::qWait(1500);
  CHECK(studio.session->drawn() == before);
}

TEST_CASE("A lost device is set up again once, and then said to be lost") {
  Studio studio;
  studio.addPoint(kBad);
  const auto before = studio.session->drawn();
  studio.session->context().markLost();
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return studio.session->attached() && studio.session->drawn() > before + 1; }));
  studio.settle();
  CHECK(studio.text("flow.points[0].limit.kind") == "local-min");
  REQUIRE(studio.session->capture());

  studio.session->context().markLost();
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return qobject_cast<QLabel*>(studio.window->centralWidget()) != nullptr; }));
  CHECK(qobject_cast<QLabel*>(studio.window->centralWidget())->text().contains(QLatin1String("lost")));
  REQUIRE(studio.workbench().save(tests::freshFolder("lost") + "/saved.sepx"));
}
