// SPDX-License-Identifier: Apache-2.0
// The studio grades a class: a dropped folder, the table of students, the distribution in the window, a cancelled
// grading, and a folder that cannot be graded.
#include <filesystem>

#include "app/studio/grading_dialog.h"
#include "engine/core/file.h"
#include "tests/folders.h"
#include "tests/hosts/studio_rig.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>

namespace {

using namespace sepx;
using tests::freshFolder;
using tests::Studio;
namespace fs = std::filesystem;

/// The class of three students of docs/json.md.
std::string classFolder() {
  const std::string folder = freshFolder("class");
  for (const auto& entry : fs::directory_iterator(tests::sourceFolder() + "/tests/reference/homework"))
    fs::copy(entry.path(), fs::path(folder) / entry.path().filename());
  return folder;
}

struct Graded {
  app::GradingDialog& dialog;

  explicit Graded(Studio& studio) : dialog(studio.child<app::GradingDialog>("grading")) {}
  template <class Widget>
  Widget& part(const char* name) {
    auto* found = dialog.findChild<Widget*>(QStringLiteral("grading.") + QLatin1String(name));
    REQUIRE(found);
    return *found;
  }
  void wait() {
    REQUIRE(Studio::waitFor([this] { return !dialog.grading(); }));
  }
  QString cell(int row, int column) {
    auto* const item = part<QTableWidget>("students").item(row, column);
    return item ? item->text() : QString();
  }
};

}  // namespace

TEST_CASE("A dropped folder of answers is graded, and the distribution opens as a lesson") {
  Studio studio;
  studio.drop(classFolder());
  Graded graded(studio);
  graded.wait();
  INFO(graded.part<QLabel>("state").text().toStdString());
  auto& students = graded.part<QTableWidget>("students");
  REQUIRE(students.rowCount() == 3);
  CHECK(graded.cell(0, 0) == QLatin1String("Ada"));
  CHECK(graded.cell(0, 1) == QLatin1String("3"));
  CHECK(graded.cell(1, 0) == QLatin1String("Emmy"));
  CHECK(graded.cell(1, 2) == QStringLiteral("✗"));
  CHECK(graded.cell(1, 3) == QStringLiteral("!"));
  CHECK(graded.cell(1, 4) == QStringLiteral("✓"));
  CHECK(graded.cell(1, 5).contains(QLatin1String("does not give the answer")));
  auto& questions = graded.part<QTableWidget>("questions");
  REQUIRE(questions.rowCount() == 3);
  CHECK(questions.item(0, 0)->toolTip() == questions.item(0, 0)->text());
  auto* const bar = qobject_cast<QProgressBar*>(questions.cellWidget(1, 1));
  REQUIRE(bar);
  CHECK(bar->value() == 2);
  CHECK(bar->maximum() == 3);
  // For the audience: a lesson without names, in the window that the stage follows.
  QTest::mouseClick(&graded.part<QPushButton>("distribution"), Qt::LeftButton);
  studio.waitForOpening();
  REQUIRE(studio.workbench().lesson());
  const ui::Lesson& lesson = *studio.workbench().lesson();
  CHECK(lesson.title == "Homework");
  CHECK(lesson.steps.size() == 4);
  const std::string distribution = *readFile(lesson.name);
  CHECK(distribution.find("Emmy") == std::string::npos);
  const std::string whole = "■■■■■■■■■■■■";  // the length of a bar that fits into a line of the stage with a number
  CHECK(distribution.find(whole + " **3**") != std::string::npos);
  CHECK(distribution.find(whole + "■") == std::string::npos);
  CHECK(Studio::waitFor([&] { return studio.window->isActiveWindow(); }));  // it gets the keys of the stage
  QTest::mouseClick(&graded.part<QPushButton>("close"), Qt::LeftButton);
  CHECK_FALSE(graded.dialog.isVisible());
}

TEST_CASE("Grading can be cancelled and started again") {
  Studio studio;
  const std::string folder = classFolder();
  // Enough files that the grading does not end before it is cancelled.
  for (int i = 0; i < 300; ++i)
    fs::copy(folder + "/ada.json", folder + "/more" + std::to_string(i) + ".json");
  studio.drop(folder);
  Graded graded(studio);
  auto& progress = graded.part<QProgressBar>("progress");
  REQUIRE(Studio::waitFor([&] { return progress.maximum() == 303 && progress.value() > 0; }));
  QTest::mouseClick(&graded.part<QPushButton>("close"), Qt::LeftButton);
  graded.wait();
  CHECK(graded.dialog.isVisible());
  CHECK(graded.part<QLabel>("state").text().contains(QLatin1String("stopped")));
  CHECK(graded.part<QTableWidget>("students").rowCount() == 0);
  CHECK_FALSE(graded.part<QPushButton>("distribution").isEnabled());
  // This takes longer than the time that a cancelled program gets to end. Its timeout must not end the second program.
  studio.drop(folder);
  graded.wait();
  INFO(graded.part<QLabel>("state").text().toStdString());
  CHECK(graded.part<QTableWidget>("students").rowCount() == 303);
}

TEST_CASE("A class that cannot be graded gives a message, and another lesson can be chosen") {
  Studio studio;
  const std::string folder = classFolder();
  fs::rename(folder + "/homework.md", folder + "/../the-homework.md");
  const std::string document = studio.workbench().recipe();
  studio.drop(folder);
  Graded graded(studio);
  graded.wait();
  CHECK(graded.part<QLabel>("state").text().contains(QLatin1String("which lesson")));
  CHECK(graded.part<QTableWidget>("students").rowCount() == 0);
  graded.dialog.grade(QString::fromStdString(folder), QString::fromStdString(folder + "/../the-homework.md"));
  graded.wait();
  CHECK(graded.part<QTableWidget>("students").rowCount() == 3);
  CHECK(studio.workbench().recipe() == document);
  // A folder without answers is opened like any other folder.
  const std::string plain = freshFolder("no-class");
  REQUIRE(writeFile(plain + "/config.json", "{}"));
  studio.drop(plain);
  CHECK(graded.part<QTableWidget>("students").rowCount() == 3);
}
