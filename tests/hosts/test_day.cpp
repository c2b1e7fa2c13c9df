// SPDX-License-Identifier: Apache-2.0
// A day of work in the studio, repeated in one window: drag a point, save and open a session, browse a checkpoint,
// train a run, play a lesson, export a figure, close everything. Memory, open files and threads must stay at the same
// level. One round with every test; under [long] for SEPX_SOAK_SECONDS (default 1800).
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "app/studio/export_dialog.h"
#include "engine/train/run_store.h"
#include "tests/folders.h"
#include "tests/hosts/own_use.h"
#include "tests/hosts/studio_rig.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>

namespace {

using namespace sepx;
using tests::Studio;
using tests::whenDialog;

class Day {
 public:
  Day() {
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(home_ + "/data"));
    studio_ = std::make_unique<Studio>(home_);
  }
  ~Day() { qunsetenv("XDG_DATA_HOME"); }

  void round() {
    dragAndSave();
    lookThroughCheckpoint();
    train();
    playLesson();
    run("file.new");
    ++rounds_;
    CHECK(studio_->errors() == 0);
    memory.push_back(tests::residentMib());
    files.push_back(tests::openFiles());
    threads.push_back(tests::ownStatus("Threads"));
    names.push_back(tests::threadNames());
  }
  int rounds() const { return rounds_; }

  std::vector<double> memory, files, threads;     ///< after each round; MiB
  std::vector<std::map<std::string, int>> names;  ///< of threads, after each round

 private:
  ui::Workbench& workbench() { return studio_->workbench(); }
  void run(const char* command) {
    INFO(command);
    REQUIRE(workbench().run(command));
    studio_->window->wake();
    studio_->settle();
  }
  void set(const char* key, ui::Value value) {
    INFO(key);
    REQUIRE(workbench().set(key, std::move(value)));
    studio_->window->wake();
    studio_->settle();
  }
  void open(const std::string& path) {
    REQUIRE(studio_->open(path));
    studio_->waitForOpening();
  }

  void dragAndSave() {
    const std::string session = home_ + "/day.sepx";
    studio_->addPoint(tests::kBad);
    studio_->drag(studio_->at(tests::kBad), studio_->at(tests::kGood));
    studio_->settle();
    exportFigure();
    REQUIRE(workbench().save(session));
    run("view.split-two");
    run("view.split-one");
    run("file.new");
    open(session);
    CHECK(std::abs(studio_->real("flow.points[0].e") - tests::kGood.x) < 0.1);
  }

  /// As a user does it: the export dialog, its format, the file dialog.
  void exportFigure() {
    constexpr const char* kFormats[] = {"png", "svg", "pdf"};
    const QString format = QString::fromLatin1(kFormats[rounds_ % std::size(kFormats)]);
    const QString file = QString::fromStdString(home_) + QStringLiteral("/figure.") + format;
    QFile::remove(file);
    studio_->window->setAsking(true);
    whenDialog<app::ExportDialog>([&](app::ExportDialog& dialog) {
      auto* const formats = dialog.findChild<QComboBox*>(QStringLiteral("export.format"));
      formats->setCurrentIndex(formats->findData(format));
      emit formats->activated(formats->currentIndex());
      whenDialog<QFileDialog>([&](QFileDialog& dialogOfFiles) {
        dialogOfFiles.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file);
        QMetaObject::invokeMethod(&dialogOfFiles, "accept");
      });
      dialog.accept();
    });
    studio_->child<QAction>("file.export").trigger();
    CHECK(Studio::waitFor([&] { return QFile::exists(file); }));
    studio_->settle();
    studio_->window->setAsking(false);
  }

  void lookThroughCheckpoint() {
    open(tests::sourceFolder() + "/assets/models/encoder");
    for (int layer = 0; layer < 4; ++layer)
      set("weights.layer", static_cast<double>(layer));
    for (const char* page : {"wall", "charts", "matrix"})
      set("weights.page", std::string(page));
  }

  /// Trains a small run to its end while the pointer moves over its curves.
  void train() {
    const std::string runs = home_ + "/data/separatrix/runs";
    const std::size_t before = train::findRuns(runs).size();
    set("exhibit", std::string("training"));
    set("training.page", std::string("own"));
    set("training.own.preset", std::string("small-decoder"));
    set("training.own.model.layers", 1.0);
    set("training.own.schedule.steps", 20.0);
    REQUIRE(workbench().run("training.own-start"));
    studio_->window->wake();
    REQUIRE(Studio::waitFor([&] { return train::findRuns(runs).size() == before + 1; }));
    const auto ended = [&] { return std::ranges::none_of(train::findRuns(runs), train::runIsAlive); };
    for (int i = 0; i < 20 && !ended(); ++i) {
      QTest::mouseMove(&studio_->viewport(), QPoint(40 + 17 * i, 80 + 11 * i));
      QTest::qWait(100);
    }
    REQUIRE(Studio::waitFor(ended));
    studio_->settle();
  }

  void playLesson() {
    open(tests::sourceFolder() + "/assets/lessons/01-why-small-initialisation-fails.md");
    REQUIRE(workbench().lesson());
    const std::size_t steps = workbench().lesson()->steps.size();
    for (std::size_t step = 1; step < steps; ++step)
      run("lesson.next");
    CHECK(workbench().lessonStep() + 1 == steps);
    run("lesson.close");
  }

  std::string home_ = tests::freshFolder("day-home");
  std::unique_ptr<Studio> studio_;
  int rounds_ = 0;
};

/// The differences in numbers, for example "pool +1".
std::string difference(const std::map<std::string, int>& before, const std::map<std::string, int>& after) {
  std::map<std::string, int> all = after;
  for (const auto& [name, count] : before)
    all[name] -= count;
  std::string text;
  for (const auto& [name, count] : all)
    if (count != 0) text += fmt::format("{} {:+} ", name, count);
  return text;
}

void days(double seconds, int least) {
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  Day day;
  while (day.rounds() < least || passed() < seconds)
    day.round();
  const tests::Levels memory(day.memory), files(day.files), threads(day.threads);
  std::string all;
  for (std::size_t i = 0; i < day.memory.size(); i += std::max<std::size_t>(1, day.memory.size() / 60))
    all += fmt::format("{:.0f} ", day.memory[i]);
  WARN(
      fmt::format("{} rounds in {:.0f} s: {:.0f} MiB early, {:.0f} late; {} and {} open files, {} and {} threads ({}); "
                  "memory: {}",
                  day.rounds(), passed(), memory.early, memory.late, files.early, files.late, threads.early,
                  threads.late, difference(day.names[day.names.size() / 4], day.names.back()), all));
  CHECK(memory.late < 1.03 * memory.early + 16);
  CHECK(files.late <= files.early);
  CHECK(threads.late <= threads.early);
}

}  // namespace

TEST_CASE("One round of a day in the studio runs without errors") {
  days(0, 1);
}

TEST_CASE("Days in one window leave no memory, files or threads behind", "[.][long]") {
  const char* const wanted = std::getenv("SEPX_SOAK_SECONDS");
  days(wanted != nullptr ? std::atof(wanted) : 1800, 8);
}
