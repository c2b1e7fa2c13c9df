// SPDX-License-Identifier: Apache-2.0
// Files and unsaved work in the studio: several files at once, changes by other programs, recovery files of other
// windows, the end of the desktop session, keys that would lose work.
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "app/studio/restore_dialog.h"
#include "tests/hosts/studio_rig.h"
#include "ui/document/homework.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMetaMethod>
#include <QMimeData>
#include <QPushButton>
#include <QSessionManager>
#include <QUrl>

namespace {

using namespace sepx;
using tests::Answers;
using tests::freshFolder;
using tests::kBad;
using tests::Studio;
using tests::whenDialog;

std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

void drop(QObject* on, const QStringList& files) {
  QMimeData data;
  QList<QUrl> urls;
  for (const QString& file : files)
    urls << QUrl::fromLocalFile(file);
  data.setUrls(urls);
  // Qt delivers a drop to the widget that accepted the drag.
  QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(on, &enter);
  CHECK(enter.isAccepted());
  QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(on, &event);
  QTest::qWait(100);
}

}  // namespace

TEST_CASE("Several files can be dropped at once, also on a panel: a session, and points to add") {
  Studio studio;
  const std::string folder = freshFolder("drop-several");
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().save(folder + "/one.sepx"));
  REQUIRE(studio.workbench().save(folder + "/two.sepx"));
  const QString points = QString::fromStdString(write(folder + "/points.csv", "e,w\n0.25,-0.5\n0.75,0.125\n"));
  const QString one = QString::fromStdString(folder + "/one.sepx"), two = QString::fromStdString(folder + "/two.sepx");
  drop(studio.window->viewport().receiver(), {points, one, two});
  REQUIRE(Studio::waitFor([&] { return studio.real("flow.points.count") == 3; }));
  CHECK(studio.workbench().path() == folder + "/one.sepx");
  CHECK(studio.workbench().messages().back().text.find("two.sepx") != std::string::npos);
  drop(&studio.child<QDockWidget>("library"), {points});
  REQUIRE(Studio::waitFor([&] { return studio.real("flow.points.count") == 5; }));
  studio.settle();
  CHECK(studio.real("flow.points[4].w") == 0.125);
}

TEST_CASE("A change by another program is not overwritten without a question") {
  Studio studio;
  const std::string path = freshFolder("conflict") + "/work.sepx";
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().save(path));
  REQUIRE(studio.workbench().set("flow.p", 0.25));
  const std::string theirs = "{\"version\":1}\n";
  write(path, theirs);
  studio.window->setAsking(true);
  const auto saveAnswering = [&](QMessageBox::StandardButton answer) {
    whenDialog<QMessageBox>([answer](QMessageBox& box) { box.button(answer)->click(); });
    return studio.window->save();
  };
  const auto size = [&] { return std::ifstream(path, std::ios::ate).tellg(); };
  CHECK_FALSE(saveAnswering(QMessageBox::Cancel));
  CHECK(size() == std::streamoff(theirs.size()));
  CHECK(saveAnswering(QMessageBox::Discard));
  CHECK(size() > std::streamoff(theirs.size()));
  studio.settle();
}

TEST_CASE("A session of a newer version gives the reason why it cannot be saved with its name") {
  Studio studio;
  const std::string path = write(freshFolder("newer") + "/newer.sepx", "{\"version\":99,\"flow\":{\"p\":0.25}}\n");
  REQUIRE(studio.open(path));
  studio.settle();
  CHECK(studio.child<QLabel>("banner.text").isVisible());
  CHECK_FALSE(studio.child<QLabel>("banner.text").text().isEmpty());
  REQUIRE(studio.window->newSession());
  studio.settle();
  CHECK_FALSE(studio.child<QLabel>("banner.text").isVisible());
}

TEST_CASE("Recovery files of a killed window are offered by name and can be discarded") {
  Studio studio;
  app::RestoreDialog dialog({{"/a.json", "basins", "/home/x/basins.sepx", 1000}, {"/b.json", "", "", 2000}},
                            studio.window.get());
  std::vector<std::string> gone;
  QObject::connect(&dialog, &app::RestoreDialog::discarded,
                   [&](const app::RecoveryFile& one) { gone.push_back(one.file); });
  dialog.show();
  REQUIRE(dialog.chosen());
  CHECK(dialog.chosen()->file == "/a.json");
  for (auto* button : dialog.findChildren<QPushButton*>()) {
    if (button->text().contains(QLatin1String("Discard"))) button->click();
  }
  CHECK(gone == std::vector<std::string>{"/a.json"});
  CHECK(dialog.chosen()->file == "/b.json");
}

TEST_CASE("The offer of unsaved work is centred on its window, and says how the other window ended") {
  const std::string home = freshFolder("left"), folder = home + "/XDG_STATE_HOME/separatrix/autosave";
  std::filesystem::create_directories(folder);
  write(folder + "/1.json", R"({"version":1,"flow":{"p":0.25},"autosave":{"title":"basins","when":1000}})");
  Studio studio(home);
  REQUIRE(studio.session->recoveryFiles().size() == 1);
  const auto words = [&studio](bool asked) {
    app::RecoveryFile left = studio.session->recoveryFiles().front();
    left.asked = asked;
    app::RestoreDialog dialog({left}, studio.window.get());
    return dialog.findChild<QLabel*>()->text();
  };
  CHECK(words(false).contains(QLatin1String("ended unexpectedly")));
  CHECK(words(true).contains(QLatin1String("The system closed Separatrix")));
  studio.window->move(300, 200);
  REQUIRE(Studio::waitFor([&] { return studio.window->geometry().topLeft() == QPoint(300, 200); }));
  studio.window->setAsking(true);
  bool seen = false;
  whenDialog<app::RestoreDialog>([&](app::RestoreDialog& dialog) {
    const QPoint off = dialog.geometry().center() - studio.window->geometry().center();
    CHECK(std::abs(off.x()) <= 4);
    CHECK(std::abs(off.y()) <= 4);
    CHECK(dialog.height() < studio.window->height() / 2);
    seen = true;
    dialog.reject();
  });
  studio.window->offerRecovery();
  CHECK(seen);
}

TEST_CASE("The end of the desktop session keeps unsaved work without a question") {
  const std::string home = freshFolder("session-end");
  {
    Studio studio(home);
    studio.window->setAsking(true);
    studio.addPoint(kBad);
    const Answers answers(QMessageBox::Cancel);
    // The signal that the desktop's session manager causes. The handler does not use the manager.
    alignas(QSessionManager) std::byte manager[sizeof(QSessionManager)]{};
    const QMetaObject& meta = QGuiApplication::staticMetaObject;
    const QMetaMethod asks = meta.method(meta.indexOfSignal("commitDataRequest(QSessionManager&)"));
    REQUIRE(asks.invoke(qApp, Qt::DirectConnection, QGenericArgument("QSessionManager&", &manager)));
    // The desktop may end the program now, so the layout must be on disk too.
    CHECK_FALSE(ui::Settings("", home + "/XDG_STATE_HOME/separatrix").kept("studio.window").empty());
    CHECK(studio.window->close());
    CHECK(answers.asked() == 0);
  }
  Studio next(home);
  REQUIRE(next.session->recoveryFiles().size() == 1);
  CHECK(next.session->recoveryFiles().front().asked);  // the offer says that the system closed it
  REQUIRE(next.session->restore(next.session->recoveryFiles().front()));
  next.window->wake();
  next.settle();
  CHECK(next.real("flow.points[0].e") == kBad.x);
}

TEST_CASE("Answers to homework are not lost without a question") {
  Studio studio;
  studio.window->setAsking(true);
  const std::string path = write(freshFolder("answers") + "/h.md",
                                 "# Homework\n\n## One\n\n```steps\nexhibit flow\nvary flow.p 0.55..0.9\n```\n\n"
                                 "```ask\nquestion \"Which?\"\nchoice \"A\"\nchoice \"B\" correct\n```\n");
  REQUIRE(studio.open(path));
  studio.settle();
  ui::Workbench& workbench = studio.workbench();
  REQUIRE(workbench.beginHomework("Ada"));
  studio.window->wake();
  studio.settle();
  const auto given = [&workbench] {
    const auto file = workbench.homeworkAnswers();
    const auto answers = file ? ui::parseAnswers(file->text) : tl::unexpected(file.error());
    return answers ? answers->given.size() : std::size_t{99};
  };
  REQUIRE(given() == 0);
  const auto choose = [&] {
    const auto at = workbench.controlAt("lesson.questions[0].choices[0]");
    REQUIRE(at);
    const double ratio = studio.window->viewport().pixelRatio();
    const QPoint there(int(std::lround(at->x / ratio)), int(std::lround(at->y / ratio)));
    studio.drag(there, there);
    REQUIRE(Studio::waitFor([&] { return given() == 1; }));
    studio.settle();
  };
  choose();
  {
    const Answers stay(QMessageBox::Cancel);
    CHECK_FALSE(studio.window->close());
    CHECK(stay.asked() == 1);
    CHECK_FALSE(studio.window->newSession());
    CHECK(stay.asked() == 2);
    REQUIRE(workbench.lesson());
  }
  // Buttons in the picture warn first.
  for (const char* command : {"lesson.restart", "lesson.close"}) {
    CAPTURE(command);
    REQUIRE(workbench.run(command));
    CHECK(given() == 1);
    REQUIRE(workbench.run(command));
    CHECK(given() != 1);
    studio.window->wake();
    studio.settle();
    if (workbench.lesson()) choose();
  }
  CHECK_FALSE(workbench.lesson());
}

TEST_CASE("Keys in the picture ask before work is lost, and open menus") {
  Studio studio;
  studio.addPoint(kBad);
  studio.window->setAsking(true);
  studio.window->viewport().activate();
  int asked = 0;
  whenDialog<QMessageBox>([&](QMessageBox& box) {
    ++asked;
    box.button(QMessageBox::Cancel)->click();
  });
  QTest::keyClick(&studio.viewport(), Qt::Key_N, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return asked == 1; }));
  studio.settle();
  CHECK(studio.real("flow.points.count") == 1);

  const std::string path = freshFolder("conflict-key") + "/work.sepx";
  REQUIRE(studio.workbench().save(path));
  REQUIRE(studio.workbench().set("flow.p", 0.25));
  write(path, "{\"version\":1}\n");
  whenDialog<QMessageBox>([&](QMessageBox& box) {
    ++asked;
    box.button(QMessageBox::Cancel)->click();
  });
  QTest::keyClick(&studio.viewport(), Qt::Key_S, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return asked == 2; }));
  studio.settle();

  QMenu* view = studio.window->menuBar()->actions().at(2)->menu();
  QTest::keyClick(&studio.viewport(), Qt::Key_V, Qt::AltModifier);
  REQUIRE(Studio::waitFor([&] { return view->isVisible(); }));
  view->close();
  studio.window->setAsking(false);
}
