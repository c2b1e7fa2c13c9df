// SPDX-License-Identifier: Apache-2.0
// Presenting in the studio's real window without a stage window: the keys of a remote, the texts of the panel, and a
// stage that has not answered yet. A lock simulates a stage that is starting.
#include <catch2/catch.hpp>

#include "app/presentation/stage_control.h"
#include "app/presentation/stage_link.h"
#include "app/studio/presenting.h"
#include "tests/chinese.h"
#include "tests/hosts/studio_rig.h"
#include "tests/temporary_folder.h"
#include "ui/properties/language.h"
#include "ui/workbench/presenter.h"

#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QTest>
#include <QToolButton>

namespace {

using namespace sepx;
using tests::Studio;

/// A folder for the sockets of this test.
struct Runtime {
  tests::TemporaryFolder folder;
  QByteArray before = qgetenv("XDG_RUNTIME_DIR");
  Runtime() { qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(folder.path.string())); }
  ~Runtime() { before.isEmpty() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", before); }
};

/// The studio during a presentation of a lesson with three steps.
struct Lecture {
  Runtime runtime;
  std::optional<FileLock> stage;
  Studio studio;

  Lecture() {
    const auto path = app::presentationSocket();
    REQUIRE(path);
    stage = FileLock::tryLock(app::stageLock(*path));
    REQUIRE(stage);
    REQUIRE(studio.open(runtime.folder.file("l.md", "# Title\n\n## One\n\nA.\n\n## Two\n\nB.\n\n## Three\n\nC.\n")));
    studio.settle();
    studio.window->presenting().start();
    REQUIRE(studio.window->presenting().stage().active());
    studio.settle();
  }
  ~Lecture() { studio.window->presenting().end(); }
  std::size_t step() { return studio.workbench().lessonStep(); }
};

}  // namespace

TEST_CASE("A remote changes the step while a number field of the inspector has the focus") {
  Lecture lecture;
  auto& p = lecture.studio.child<app::NumberEdit>("flow.p");
  p.setFocus();
  const double before = lecture.studio.real("flow.p");
  QTest::keyClick(&p, Qt::Key_PageDown);
  CHECK(lecture.step() == 1);
  QTest::keyClick(&p, Qt::Key_PageDown);
  QTest::keyClick(&p, Qt::Key_PageUp);
  CHECK(lecture.step() == 1);
  CHECK(lecture.studio.real("flow.p") == before);
  QTest::keyClick(&p, Qt::Key_Period);  // the point is part of a number
  CHECK_FALSE(lecture.studio.workbench().presenter().blank());
  SECTION("in a list the other keys of a remote work as well") {
    QListWidget list(lecture.studio.window.get());
    list.addItems({QStringLiteral("a"), QStringLiteral("b")});
    list.show();
    list.setFocus();
    REQUIRE(Studio::waitFor([&] { return QApplication::focusWidget() == &list; }));
    QTest::keyClick(&list, Qt::Key_B);
    CHECK(lecture.studio.workbench().presenter().blank());
    QTest::keyClick(&list, Qt::Key_PageDown);
    CHECK(lecture.step() == 2);
  }
  SECTION("after the presentation the keys belong to the field") {
    lecture.studio.window->presenting().end();
    p.setFocus();
    p.selectAll();
    QTest::keyClick(&p, Qt::Key_PageDown);
    CHECK(lecture.step() == 1);
  }
}

TEST_CASE("The presenter panel follows the language") {
  if (!tests::chineseCanBeShown()) return;
  struct English {
    ~English() { static_cast<void>(ui::setLanguage(ui::kEnglish)); }
  } const english;
  Lecture lecture;
  const auto title = [&] { return lecture.studio.child<QDockWidget>("presenter").windowTitle(); };
  const auto next = [&] {
    return lecture.studio.window->presenting()
        .panel()
        ->findChild<QAbstractButton*>(QStringLiteral("presenter.lesson.next"))
        ->text();
  };
  const QString titleBefore = title(), nextBefore = next();
  REQUIRE(lecture.studio.workbench().run("language.zh_CN"));
  lecture.studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return title() != titleBefore; }));
  CHECK(next() != nextBefore);
}

TEST_CASE("The presenter panel shows the next step as on the stage, and the planned time") {
  Lecture lecture;
  app::PresenterPanel& panel = *lecture.studio.window->presenting().panel();
  auto& picture = lecture.studio.child<QLabel>("presenter.picture");
  CHECK(lecture.studio.child<QLabel>("presenter.planned").text() == QStringLiteral("of 1 min"));
  const auto shows = [&] {
    panel.refresh();  // as it does once per second
    return !picture.isHidden() && !picture.pixmap(Qt::ReturnByValue).isNull();
  };
  REQUIRE(Studio::waitFor(shows));
  const qint64 first = picture.pixmap(Qt::ReturnByValue).cacheKey();
  REQUIRE(lecture.studio.workbench().run("lesson.next"));
  lecture.studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return shows() && picture.pixmap(Qt::ReturnByValue).cacheKey() != first; }));
  REQUIRE(lecture.studio.workbench().run("lesson.next"));
  lecture.studio.window->wake();
  CHECK(Studio::waitFor([&] { return picture.isHidden(); }));  // there is no next step
}

TEST_CASE("Another lesson restarts the timer, so that it is compared with that lesson's plan") {
  Lecture lecture;
  app::PresenterPanel& panel = *lecture.studio.window->presenting().panel();
  const auto passed = [&] {
    panel.refresh();
    auto* const label = panel.findChild<QLabel*>(QStringLiteral("presenter.passed"));
    REQUIRE(label);
    return label->text();
  };
  REQUIRE(Studio::waitFor([&] { return passed() != QStringLiteral("0:00"); }));
  REQUIRE(lecture.studio.open(lecture.runtime.folder.file("m.md", "# Second\n\n## One\n\nA.\n")));
  panel.refresh();
  CHECK(passed() == QStringLiteral("0:00"));
}

TEST_CASE("The presenter panel shows formulas as characters, and highlights active buttons") {
  Lecture lecture;
  REQUIRE(lecture.studio.open(lecture.runtime.folder.file(
      "f.md", "# Title\n\n## One\n\nA.\n\n```notes\nSay `$\\alpha^2$` and `set`.\n```\n\n## Two\n\nOf `$W_{qk}$`.\n")));
  lecture.studio.settle();
  app::PresenterPanel& panel = *lecture.studio.window->presenting().panel();
  panel.refresh();
  bool found = false;
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    CHECK_FALSE(label->text().contains(QLatin1Char('$')));
    found = found || label->text().contains(QLatin1String("Of W"));
  }
  CHECK(found);
  const QString notes = panel.notesOf(lecture.studio.workbench().lesson()->steps.front().notes);
  CHECK(notes.contains(QStringLiteral("α")));
  CHECK(notes.contains(QLatin1String("<code>set</code>")));
  CHECK_FALSE(notes.contains(QLatin1Char('$')));
  auto* const laser = panel.findChild<QToolButton*>(QStringLiteral("presenter.present.laser"));
  REQUIRE(laser);
  const QColor off = laser->palette().color(QPalette::Button);
  REQUIRE(lecture.studio.workbench().run("present.laser"));
  panel.refresh();
  CHECK(laser->palette().color(QPalette::Button) == panel.palette().color(QPalette::Highlight));
  REQUIRE(lecture.studio.workbench().run("present.laser"));
  panel.refresh();
  CHECK(laser->palette().color(QPalette::Button) == off);
}

TEST_CASE("An edited lesson that is opened again appears on the stage, even if nothing else has changed") {
  Lecture lecture;
  const auto path = app::presentationSocket();
  REQUIRE(path);
  const auto stage = app::StageLink::follow(*path, app::HelloMessage{.program = "test"}, {});
  REQUIRE(stage);
  const auto shows = [&](const char* title) {
    return Studio::waitFor([&] {
      lecture.studio.window->wake();
      stage->refresh();
      return stage->latest().lesson && stage->latest().lesson->title == title;
    });
  };
  REQUIRE(shows("Title"));
  REQUIRE(lecture.studio.open(lecture.runtime.folder.file("l.md", "# Another title\n\n## One\n\nA.\n")));
  CHECK(shows("Another title"));
}

TEST_CASE("A stage that is still starting ends with the presentation") {
  Runtime runtime;
  Studio studio;
  const std::string program = runtime.folder.file("stage", "#!/bin/sh\nexec sleep 3600\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  app::StageControl control(studio.workbench(), program, {});
  control.start({});
  REQUIRE(control.active());
  REQUIRE(control.processLives());
  control.end();
  CHECK_FALSE(control.active());
  CHECK(Studio::waitFor([&] {
    control.poll();
    return !control.processLives();
  }));
}
