// SPDX-License-Identifier: Apache-2.0
// Files in the studio's real window: opened and dropped files, questions before something is lost, the window title,
// and the initial folders of dialogs.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <catch2/catch.hpp>

#include "engine/train/run_store.h"
#include "tests/engine/train/small_runs.h"
#include "tests/folders.h"

#include "app/data_files.h"
#include "app/studio/newest_runs.h"
#include "tests/hosts/studio_rig.h"
#include "ui/runs/runs.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QStatusBar>
#include <QTest>
#include <QTreeWidget>

namespace {

using namespace sepx;
using tests::Answers;
using tests::kBad;
using tests::Studio;

namespace fs = std::filesystem;

/// A training run "race-3" with two saved steps, and a copy of its weights as a checkpoint "small".
struct Weights {
  std::string run, checkpoint;

  explicit Weights(const std::string& folder) : run(folder + "/race-3"), checkpoint(folder + "/small") {
    fs::create_directories(run);
    std::ofstream(run + "/run.sqlite") << "SQLite format 3";
    const fs::path model = fs::path(tests::sourceFolder()) / "assets/models/encoder";
    for (const std::string& to : {run + "/checkpoints/step-0000100", run + "/checkpoints/step-0002500", checkpoint}) {
      fs::create_directories(to);
      for (const char* name : {"config.json", "model.safetensors"})
        fs::copy_file(model / name, fs::path(to) / name);
      if (to != checkpoint) fs::copy_file(model / "model.safetensors", fs::path(to) / "state.safetensors");
    }
  }
};

QTreeWidgetItem* groupOf(const QTreeWidget& library, const char* title) {
  for (int i = 0; i < library.topLevelItemCount(); ++i)
    if (library.topLevelItem(i)->text(0) == QLatin1String(title)) return library.topLevelItem(i);
  FAIL("no group " << title);
  return nullptr;
}

}  // namespace

TEST_CASE("A dropped session opens, and a dropped file that is not a session leaves the document unchanged") {
  Studio studio;
  const std::string path = tests::freshFolder("drop") + "/work.sepx";
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().save(path));
  REQUIRE(studio.workbench().set("flow.p", 0.125));
  studio.drop(path);
  CHECK(studio.real("flow.p") == 0.5);
  CHECK(studio.window->windowTitle().contains(QLatin1String("work")));
  const auto before = studio.errors();
  studio.drop("/dev/null");
  CHECK(studio.real("flow.p") == 0.5);
  CHECK(studio.errors() > before);
}

TEST_CASE("A session whose name is not UTF-8 opens when it is handed over, and is saved with its own name") {
  Studio studio;
  const std::string folder = tests::freshFolder("latin-1"), path = folder + "/caf\xe9.sepx";
  std::ofstream(path) << "{\"version\":1,\"flow\":{\"p\":0.25}}\n";
  studio.window->receive({path});
  studio.waitForOpening();
  CHECK(studio.errors() == 0);
  CHECK(studio.real("flow.p") == 0.25);
  CHECK((studio.workbench().path() == path));
  REQUIRE(studio.workbench().set("flow.p", 0.75));
  CHECK(studio.window->save());
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
  REQUIRE(studio.window->newSession());
  REQUIRE(studio.open(path));
  CHECK(studio.real("flow.p") == 0.75);
  studio.settle();
}

TEST_CASE("A state is copied as text") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.p", 0.3));
  REQUIRE(studio.workbench().run("edit.copy-state"));
  const QString text = QApplication::clipboard()->text();
  INFO(text.toStdString());
  CHECK(text.startsWith(QLatin1String("sepx:1:")));
  // Without a state on the clipboard there is a message, and the document stays open.
  QApplication::clipboard()->setText(QStringLiteral("hello"));
  REQUIRE(studio.workbench().run("edit.paste-state"));
  CHECK(studio.real("flow.p") == 0.3);
}

TEST_CASE(
    "Ctrl+V opens the state on the clipboard after a question about unsaved work, and a damaged line opens nothing") {
  Studio studio;
  studio.addPoint(kBad);
  REQUIRE(studio.workbench().set("flow.p", 0.3));
  REQUIRE(studio.workbench().run("edit.copy-state"));
  const QString text = QApplication::clipboard()->text();
  REQUIRE(studio.workbench().run("file.new"));
  studio.window->wake();
  studio.settle();
  const auto paste = [&studio](const QString& line) {
    QApplication::clipboard()->setText(line);
    QTest::keyClick(studio.window.get(), Qt::Key_V, Qt::ControlModifier);
    studio.waitForOpening();
  };
  // With line breaks, as a mail program inserts them.
  paste(text.left(20) + QStringLiteral("\n  ") + text.mid(20) + QStringLiteral(" \n"));
  CHECK(studio.real("flow.p") == 0.3);
  CHECK(studio.real("flow.points[0].e") == Approx(kBad.x).margin(1e-6));
  CHECK_FALSE(studio.window->isWindowModified());
  REQUIRE(studio.workbench().set("flow.p", 0.45));
  studio.window->wake();
  studio.settle();
  studio.window->setAsking(true);
  {
    const Answers answers(QMessageBox::Cancel);
    paste(text);
    CHECK(answers.asked() == 1);
    CHECK(studio.real("flow.p") == 0.45);
  }
  {
    const Answers answers(QMessageBox::Discard);
    paste(text);
    CHECK(answers.asked() == 1);
    CHECK(studio.real("flow.p") == 0.3);
  }
  const std::size_t before = studio.errors();
  paste(text.left(text.size() - 6));
  CHECK(studio.errors() == before + 1);
  CHECK(studio.real("flow.p") == 0.3);
}

TEST_CASE("Closing asks about unsaved changes, and Cancel keeps the window open") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(kBad);
  CHECK(studio.window->isWindowModified());
  int asked = 0;
  const auto answer = [&](QMessageBox::StandardButton button) {
    const Answers answers(button);
    const bool closed = studio.window->close();
    asked += answers.asked();
    return closed;
  };
  CHECK_FALSE(answer(QMessageBox::Cancel));
  CHECK(studio.window->isVisible());
  CHECK(answer(QMessageBox::Discard));
  CHECK(asked == 2);
  CHECK_FALSE(studio.window->isVisible());
}

TEST_CASE("A window with training runs asks once whether to stop and save, continue without the window, or stay open") {
  for (const QMessageBox::StandardButton button : {QMessageBox::Save, QMessageBox::Apply}) {
    std::string folder;
    const std::int64_t steps = button == QMessageBox::Save ? 100'000'000 : 20'000;
    {
      Studio studio;
      train::RunConfig config = test::smallMarkov();
      config.schedule.steps = steps;
      config.schedule.saveEvery = 0;
      config.schedule.evaluateEvery = 0;
      const auto run = studio.workbench().runs().start(config);
      REQUIRE(run);
      folder = (*run)->folder();
      REQUIRE(Studio::waitFor([&] { return (*run)->step() > 0; }));
      studio.window->setAsking(true);
      {
        const Answers answers(QMessageBox::Cancel);
        CHECK_FALSE(studio.window->close());
        CHECK(answers.asked() == 1);
      }
      CHECK(studio.window->isVisible());
      CHECK((*run)->trains());
      const Answers answers(button);
      CHECK(studio.window->close());
      CHECK(answers.asked() == 1);
    }
    const auto reader = train::RunReader::open(folder);
    REQUIRE(reader);
    if (button == QMessageBox::Save) {
      CHECK((*reader)->record()->state == train::RunState::Stopped);
      CHECK_FALSE(train::runIsAlive(folder));
      continue;
    }
    // A separate program finishes the run of the window.
    CHECK(Studio::waitFor([&] { return (*reader)->record()->state == train::RunState::Finished; }));
    CHECK((*reader)->record()->step == steps);
  }
}

TEST_CASE("A lesson in which the user changed something is not left without a question") {
  Studio studio;
  const auto lesson = app::openingLesson();
  REQUIRE(lesson);
  REQUIRE(studio.open(*lesson));
  studio.settle();
  auto& library = studio.child<QTreeWidget>("lessons");
  studio.window->setAsking(true);
  QTreeWidgetItem* row = groupOf(library, "Lessons")->child(0);
  REQUIRE(row);
  const auto click = [&](QMessageBox::StandardButton button) {
    const Answers answers(button);
    QTest::mouseClick(library.viewport(), Qt::LeftButton, {}, library.visualItemRect(row).center());
    studio.waitForOpening();
    return answers.asked();
  };
  CHECK(click(QMessageBox::Cancel) == 0);  // there is nothing to lose at the first step
  // The keys of the lesson work after a click in the library.
  library.setFocus();
  QTest::keyClick(&library, Qt::Key_N);
  REQUIRE(Studio::waitFor([&] { return studio.workbench().lessonStep() == 1; }));
  studio.settle();
  REQUIRE(studio.workbench().set("flow.p", 0.125));
  studio.window->wake();
  studio.settle();
  CHECK(click(QMessageBox::Cancel) == 1);
  CHECK(studio.workbench().lessonStep() == 1);
  CHECK(studio.real("flow.p") == 0.125);
  CHECK(click(QMessageBox::Discard) == 1);
  CHECK(studio.workbench().lessonStep() == 0);
  studio.settle();
  // Changes by the lesson itself need no question, at any step.
  REQUIRE(studio.workbench().run("lesson.next"));
  studio.window->wake();
  studio.settle();
  REQUIRE(studio.workbench().lessonStep() == 1);
  CHECK(click(QMessageBox::Cancel) == 0);
  CHECK(studio.workbench().lessonStep() == 0);
}

TEST_CASE("A saved session restores the view, and New starts an empty one") {
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
  CHECK(studio.window->newSession());
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

TEST_CASE("A run and a checkpoint open without a question, and undo restores the work") {
  Studio studio;
  const Weights weights(tests::freshFolder("weights"));
  studio.addPoint(kBad);
  studio.window->setAsking(true);
  const Answers answers(QMessageBox::Cancel);
  for (const std::string& path : {weights.run, weights.checkpoint}) {
    INFO(path);
    studio.drop(path);
    CHECK(studio.text("exhibit") == "weights");
    CHECK(studio.window->isWindowModified());
  }
  CHECK(answers.asked() == 0);
  while (studio.text("exhibit") != "flow")
    REQUIRE(studio.workbench().undo());
  studio.window->wake();
  studio.settle();
  CHECK(studio.real("flow.points[0].e") == kBad.x);
  studio.window->setAsking(false);
}

TEST_CASE("The title names what is open: a run by its name, without the previous model") {
  Studio studio;
  const Weights weights(tests::freshFolder("titles"));
  const auto title = [&] { return studio.window->windowTitle().toStdString(); };
  studio.drop(weights.checkpoint);
  CHECK(title().find("small") == 0);
  studio.drop(weights.run);
  CHECK(title().find("race-3, step 2500") == 0);
  // The library shows the open model once, with its layers.
  auto& library = studio.child<QTreeWidget>("lessons");
  const auto rows = [&](const QString& start) {
    int count = 0;
    for (int group = 0; group < library.topLevelItemCount(); ++group) {
      const QTreeWidgetItem* top = library.topLevelItem(group);
      if (top->text(0) == QLatin1String("Runs")) continue;  // the runs of other cases
      for (int i = 0; !top->isHidden() && i < top->childCount(); ++i)
        count += !top->child(i)->isHidden() && top->child(i)->text(0).startsWith(start);
    }
    return count;
  };
  CHECK(rows(QStringLiteral("race-3")) == 1);
  CHECK(rows(QStringLiteral("small")) == 1);  // in the recent files
  REQUIRE(studio.workbench().undo());
  studio.window->wake();
  studio.settle();
  CHECK(title().find("small") == 0);
  studio.drop(tests::sourceFolder() + "/assets/models/encoder");
  CHECK(title().find("encoder") == 0);
  CHECK(rows(QStringLiteral("Encoder (bundled)")) == 1);
  // Also the model that a window shows before another one is opened.
  REQUIRE(studio.workbench().run("file.new"));
  REQUIRE(studio.workbench().set("exhibit", std::string("weights")));
  studio.window->wake();
  studio.settle();
  CHECK(rows(QStringLiteral("Encoder (bundled)")) == 1);
}

TEST_CASE("File dialogs start in the folder of the last file of their kind, also in the next window") {
  const std::string home = tests::freshFolder("folders-home"), folder = tests::freshFolder("folders");
  fs::create_directories(folder + "/sessions");
  fs::create_directories(folder + "/saved");
  std::ofstream(folder + "/sessions/one.sepx") << "{\"version\":1,\"flow\":{\"p\":0.25}}\n";
  const auto chooseIn = [](Studio& studio, const char* action, const std::string& file) {
    QString begun;
    tests::whenDialog<QFileDialog>([&](QFileDialog& dialog) {
      begun = dialog.directory().absolutePath();
      if (file.empty()) return dialog.reject();
      dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(QString::fromStdString(file));
      QMetaObject::invokeMethod(&dialog, "accept");
    });
    studio.child<QAction>(action).trigger();
    studio.waitForOpening();
    return begun.toStdString();
  };
  {
    Studio studio(home);
    CHECK(chooseIn(studio, "file.open", folder + "/sessions/one.sepx") != folder + "/sessions");
    CHECK(studio.real("flow.p") == 0.25);
    CHECK(chooseIn(studio, "file.open", "") == folder + "/sessions");
    REQUIRE(studio.window->newSession());
    CHECK(chooseIn(studio, "file.save-as", folder + "/saved/two.sepx") != folder + "/saved");
  }
  Studio again(home);
  CHECK(chooseIn(again, "file.open", "") == folder + "/sessions");
  CHECK(chooseIn(again, "file.save-as", "") == folder + "/saved");
}

TEST_CASE("A row of the library is one line with an icon, and its tooltip has the full text") {
  Studio studio;
  auto& library = studio.child<QTreeWidget>("lessons");
  const QTreeWidgetItem* lessons = groupOf(library, "Lessons");
  REQUIRE(lessons->childCount() > 1);
  CHECK(library.textElideMode() == Qt::ElideRight);
  bool tooLong = false;
  for (int group = 0; group < library.topLevelItemCount(); ++group)
    for (int i = 0; i < library.topLevelItem(group)->childCount(); ++i) {
      QTreeWidgetItem* const row = library.topLevelItem(group)->child(i);
      if (row->isHidden() || library.topLevelItem(group)->isHidden()) continue;
      if (!row->flags().testFlag(Qt::ItemIsSelectable)) continue;  // the heading of a day of runs
      const QRect place = library.visualItemRect(row);
      INFO(row->text(0).toStdString());
      CHECK(place.height() >= 24);
      CHECK(place.height() < 2 * QFontMetrics(library.font()).height());
      CHECK_FALSE(row->icon(0).isNull());
      CHECK(row->toolTip(0).startsWith(row->text(0)));
      tooLong = tooLong || QFontMetrics(library.font()).horizontalAdvance(row->text(0)) > place.width();
    }
  CHECK(tooLong);  // some title is truncated, so the tooltip is needed
}

TEST_CASE("The library lists the newest runs by day, and a click shows the curves of one") {
  CHECK(app::dayWords(QDateTime::currentDateTime()) == QLatin1String("today"));
  CHECK(app::dayWords(QDateTime::currentDateTime().addDays(-1)) == QLatin1String("yesterday"));
  Studio studio;
  const std::string folder = studio.workbench().runs().folder() + "/newest-of-all";
  fs::create_directories(folder);
  for (const char* const name : {"/config.json", "/run.sqlite"})
    std::ofstream(folder + name) << "{}";
  // Newer than the runs of other cases.
  fs::last_write_time(folder + "/config.json", fs::file_time_type::clock::now() + std::chrono::hours(48));
  auto& library = studio.child<QTreeWidget>("lessons");
  REQUIRE(Studio::waitFor([&] {
    studio.window->wake();
    return !library.findItems(QStringLiteral("newest-of-all"), Qt::MatchExactly | Qt::MatchRecursive).isEmpty();
  }));
  const QTreeWidgetItem* const runs = groupOf(library, "Runs");
  CHECK(library.topLevelItem(0) == runs);
  CHECK(runs->child(0)->text(0) == app::dayWords(QDateTime::currentDateTime().addDays(2)));
  CHECK(runs->child(1)->text(0) == QLatin1String("newest-of-all"));
  CHECK(runs->child(runs->childCount() - 1)->text(0) == QStringLiteral("All runs…"));
  QTest::mouseClick(library.viewport(), Qt::LeftButton, {}, library.visualItemRect(runs->child(1)).center());
  studio.settle();
  CHECK(ui::toString(studio.workbench().get("training.page").value_or(ui::Value())) == "curves");
  CHECK(studio.real("training.runs.count") == 1);
  fs::remove_all(folder);
}

TEST_CASE(
    "The library marks the lesson that plays, names shipped models, and has a heading for the numbers of layers") {
  Studio studio;
  auto& library = studio.child<QTreeWidget>("lessons");
  const QTreeWidgetItem* const lessons = groupOf(library, "Lessons");
  const auto playing = [&] {
    QStringList all;
    for (int i = 0; i < lessons->childCount(); ++i)
      if (lessons->child(i)->font(0).bold()) all << lessons->child(i)->text(0);
    return all;
  };
  CHECK(playing().isEmpty());
  const auto files = app::lessons();
  REQUIRE(files.size() > 2);
  for (const std::size_t which : {2, 1}) {
    REQUIRE(studio.open(files[which].path));
    studio.settle();
    CHECK(playing() == QStringList(QString::fromStdString(files[which].title)));
    REQUIRE(library.currentItem());
    CHECK(library.currentItem()->text(0) == playing().front());
    CHECK(library.currentItem()->icon(0).cacheKey() != lessons->child(0)->icon(0).cacheKey());
  }
  REQUIRE(studio.workbench().run("lesson.close"));
  studio.window->wake();
  studio.settle();
  CHECK(playing().isEmpty());
  // Layers with their numbers. A negative symmetry is shown with a minus sign, not a hyphen.
  studio.drop(tests::sourceFolder() + "/assets/models/encoder");
  QTreeWidgetItem* const models = groupOf(library, "Models");
  CHECK(models->text(1) == QLatin1String("symmetry s"));
  QTreeWidgetItem* const model = models->child(0);
  CHECK(model->text(0) == QLatin1String("Encoder (bundled)"));
  REQUIRE(model->childCount() > 0);
  for (int i = 0; i < model->childCount(); ++i) {
    CHECK_FALSE(model->child(i)->text(1).contains(u'-'));
    CHECK(model->child(i)->toolTip(1).contains(QLatin1String("symmetry s")));
  }
}
