// SPDX-License-Identifier: Apache-2.0
// The studio's real window on a virtual display, operated by Qt's test events: pointer, keys, menus, window states, a
// lost device. Every case must end without a validation message.
#include <functional>

#include <catch2/catch.hpp>

#include "tests/hosts/studio_rig.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QTimer>

namespace {

using namespace sepx;
using tests::kBad;
using tests::kGood;
using tests::Studio;

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

TEST_CASE("Menus show the commands, the step that undo reverts, and the theme") {
  Studio studio;
  studio.addPoint(kBad);
  auto& undo = studio.child<QAction>("edit.undo");
  CHECK(undo.isEnabled());
  CHECK(undo.text().size() > 4);  // "Undo" and the name of the step
  CHECK_FALSE(studio.child<QAction>("jobs.cancel-page").icon().isNull());
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

TEST_CASE("A right click opens one menu, for the point under the pointer or otherwise for the picture") {
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
  };
  rightClick(studio.at(kBad));
  CHECK(Studio::waitFor([&] { return studio.workbench().controlAt("flow.duplicate-point#menu").has_value(); }));
  CHECK(menus == 0);
  QTest::mouseClick(&studio.viewport(), Qt::LeftButton, {}, studio.at({-1.2, 1.4}), 20);
  REQUIRE(Studio::waitFor([&] { return !studio.workbench().controlAt("flow.duplicate-point#menu"); }));
  rightClick(studio.at({-0.6, 0.9}));
  CHECK(Studio::waitFor([&] { return menus > 0; }));
  watch.stop();
  CHECK(menus == 1);
  studio.window->setAsking(false);
  studio.settle();
}

TEST_CASE("In a narrow window library and inspector are hidden, and the View menu shows them again") {
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
  const int narrow = library.width();
  resize(1900);
  CHECK(library.width() > 1.3 * narrow);  // titles of lessons are not truncated if there is room
  resize(1000);
  resize(1900);
  CHECK(library.width() > 1.3 * narrow);
  studio.window->resizeDocks({&library}, {250}, Qt::Horizontal);
  studio.settle();
  resize(1280);
  CHECK(library.width() == 250);  // the width that the user chose
  library.toggleViewAction()->trigger();
  resize(1000);
  resize(1280);
  CHECK_FALSE(library.isVisible());  // the user closed it
}

TEST_CASE("At scale 2 the titles of the panels are twice as large, and the library stays in a wide window") {
  Studio studio;
  auto& library = studio.child<QDockWidget>("library");
  const auto inkRows = [&library](int zoom) {  // rows of the first letter of the title
    const QImage title = library.grab(QRect(0, 0, 9 * zoom, library.widget()->y())).toImage();
    int rows = 0;
    for (int y = 0; y < title.height(); ++y) {
      bool ink = false;
      for (int x = 0; x < title.width(); ++x)
        ink = ink || std::abs(qGray(title.pixel(x, y)) - qGray(title.pixel(0, 0))) > 60;
      rows += ink;
    }
    return rows;
  };
  studio.settle();
  const int before = inkRows(1);
  REQUIRE(before > 4);
  studio.window->resize(1920, 1000);
  studio.window->setZoom(2);
  studio.window->wake();
  REQUIRE(Studio::waitFor(
      [&] { return studio.window->width() >= 1900 && library.isVisible() && inkRows(2) >= 1.7 * before; }));
  CHECK(studio.child<QDockWidget>("inspector").isVisible());
  CHECK(studio.window->viewport().widget()->width() >= 400);
  studio.settle();
}

TEST_CASE("No frame is drawn while nothing changes") {
  Studio studio;
  studio.addPoint(kBad);
  CHECK(Studio::waitFor([&] {
    const auto before = studio.session->drawn();
    QTest::qWait(1500);
    return studio.session->drawn() == before;
  }));
}

TEST_CASE("A lost device is created again once, and then reported as lost") {
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
