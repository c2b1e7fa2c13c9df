// SPDX-License-Identifier: Apache-2.0
// Another language in the studio's real window, and the guide that F1 opens.
#include <catch2/catch.hpp>

#include "app/studio/inspector.h"
#include "tests/chinese.h"
#include "tests/hosts/studio_rig.h"
#include "ui/properties/language.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenuBar>
#include <QTest>
#include <QToolBar>

namespace {

using namespace sepx;
using tests::Studio;

/// Restores English for the following tests.
struct English {
  ~English() { static_cast<void>(ui::setLanguage(ui::kEnglish)); }
};

QString firstMenu(Studio& studio) {
  return studio.window->menuBar()->actions().front()->text().remove(u'&');
}

}  // namespace

TEST_CASE("The language changes while the window is open: menus, docks, inspector and picture follow") {
  if (!tests::chineseCanBeShown()) return;
  const English english;
  Studio studio;
  const int before = studio.child<QDockWidget>("inspector").width();
  studio.addPoint(tests::kBad);
  CHECK(firstMenu(studio) == QStringLiteral("File"));
  REQUIRE(studio.workbench().run("language.zh_CN"));
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return firstMenu(studio) == QStringLiteral("文件"); }));
  studio.settle();
  CHECK(studio.child<QDockWidget>("inspector").windowTitle() == QStringLiteral("检查器"));
  CHECK(studio.child<QDockWidget>("library").windowTitle() == QStringLiteral("资料库"));
  CHECK(studio.child<QToolBar>("tools").windowTitle() == QStringLiteral("工具栏"));
  CHECK(studio.child<QAction>("view.reset").text().remove(u'&').startsWith(QStringLiteral("重置视图")));
  CHECK(studio.child<QAction>("language.zh_CN").isChecked());
  CHECK(studio.child<QDockWidget>("inspector").width() == before);
  // Numbers and keys do not change: the point has its position, and its fields still work.
  CHECK(studio.real("flow.points[0].e") == tests::kBad.x);
  CHECK(ui::toString(studio.session->settings().get("settings.language")) == "zh_CN");
  QTest::keyClick(studio.window.get(), Qt::Key_Z, Qt::ControlModifier);
  studio.settle();
  CHECK(studio.real("flow.points.count") == 0);
  REQUIRE(studio.workbench().run("language.en"));
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return firstMenu(studio) == QStringLiteral("File"); }));
  CHECK(studio.errors() == 0);
}

TEST_CASE("F1 opens the guide of the page with its search, and a report on the machine can be copied") {
  Studio studio;
  REQUIRE(studio.workbench().set("exhibit", std::string("flow")));
  QTest::keyClick(&studio.viewport(), Qt::Key_F1);
  REQUIRE(Studio::waitFor([&] { return studio.workbench().controlAt("guide.search").has_value(); }));
  CHECK(studio.workbench().controlAt("guide.section"));
  QTest::keyClick(&studio.viewport(), Qt::Key_Escape);
  REQUIRE(Studio::waitFor([&] { return !studio.workbench().controlAt("guide.search"); }));
  studio.child<QAction>("help.report").trigger();
  CHECK(Studio::waitFor([] { return QApplication::clipboard()->text().contains(QStringLiteral("Vulkan")); }));
  CHECK(studio.errors() == 0);
}
