// SPDX-License-Identifier: Apache-2.0
// A lesson made by hand in the studio: recorded with the pointer, with an expectation, reordered, saved and played;
// then it holds without a display.

#include "app/headless.h"
#include "app/studio/lesson_editor.h"
#include "engine/core/file.h"
#include "tests/hosts/studio_rig.h"
#include "ui/document/lesson.h"

#include <QInputDialog>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>

namespace {

using namespace sepx;
using tests::Answers;
using tests::freshFolder;
using tests::kBad;
using tests::kGood;
using tests::Studio;
using tests::whenDialog;

}  // namespace

TEST_CASE("A lesson is made by doing, and holds without a display") {
  const std::string folder = freshFolder("lesson-editor");
  qputenv("XDG_DATA_HOME", QByteArray::fromStdString(folder));
  Studio studio;
  REQUIRE(studio.workbench().set("exhibit", std::string("flow")));
  studio.addPoint(kBad);
  studio.window->showLessonEditor();
  auto* const editor = studio.window->findChild<app::LessonEditor*>();
  REQUIRE(editor);
  const auto press = [editor](const char* name) {
    auto* const button = editor->findChild<QPushButton*>(QStringLiteral("lesson-editor.") + QLatin1String(name));
    REQUIRE(button);
    QTest::mouseClick(button, Qt::LeftButton);
  };
  auto* const text = editor->findChild<QPlainTextEdit*>();
  REQUIRE(text);

  // The first step sets the scene as it is recorded from an empty one; the second is the drag.
  press("record");
  REQUIRE(studio.workbench().set("flow.show.basin", true));
  REQUIRE(studio.workbench().set("flow.p", 0.4));
  studio.settle();
  press("record");
  CHECK_THAT(editor->markdown().toStdString(), Catch::Contains("flow.p 0.4"));
  press("step");
  studio.window->raise();
  studio.window->activateWindow();
  REQUIRE(Studio::waitFor([&] { return QApplication::activeWindow() == studio.window.get(); }));
  press("record");
  studio.drag(studio.at(kBad), studio.at(kGood));
  studio.settle();
  press("record");
  // To the pixel of a window of whatever size.
  CHECK_THAT(editor->markdown().toStdString(),
             Catch::Contains("flow.points[0].w -1.3") || Catch::Contains("flow.points[0].w -1.2"));
  whenDialog<QInputDialog>([](QInputDialog& dialog) {
    const QStringList items = dialog.comboBoxItems();
    for (const QString& item : items)
      if (item.startsWith(QLatin1String("flow.points[0].limit.kind"))) dialog.setTextValue(item);
    dialog.accept();
  });
  press("expect");
  CHECK_THAT(editor->markdown().toStdString(), Catch::Contains("expect flow.points[0].limit.kind == global-min"));

  // A fault is named; without it there is none.
  auto* const faults = editor->findChild<QListWidget*>();
  CHECK(faults->count() == 0);
  text->moveCursor(QTextCursor::End);
  text->insertPlainText(QStringLiteral("\n```steps\nfly\n```\n"));
  REQUIRE(faults->count() == 1);
  CHECK(faults->item(0)->text().contains(QLatin1String("\"fly\"")));
  text->undo();
  CHECK(faults->count() == 0);

  const QString path = QString::fromStdString(folder + "/made.md");
  REQUIRE(editor->saveTo(path));
  press("play");
  REQUIRE(Studio::waitFor([&] { return studio.workbench().lesson() && studio.workbench().lessonStep() == 1; }));
  studio.settle();
  CHECK(faults->count() == 0);

  // The person stays with what they changed in the lesson: it is not gone on in, and the editor says so.
  REQUIRE(studio.workbench().run("lesson.restart"));
  studio.window->wake();
  studio.settle();
  REQUIRE(studio.workbench().set("flow.q", 0.77));
  studio.window->wake();
  studio.settle();
  REQUIRE(studio.workbench().modified());
  {
    studio.window->setAsking(true);
    const Answers answers(QMessageBox::Cancel);
    press("play");
    REQUIRE(Studio::waitFor([&] { return faults->count() == 1; }));
    CHECK(faults->item(0)->text().contains(QLatin1String("not open")));
    CHECK(answers.asked() == 1);
    CHECK(studio.workbench().lessonStep() == 0);
    studio.window->setAsking(false);
  }
  // A file that cannot be read: the text stays that of its own file.
  {
    const Answers answers(QMessageBox::Ok);
    const QString before = editor->markdown();
    editor->edit(QString::fromStdString(folder + "/none.md"));
    CHECK(answers.asked() == 1);
    CHECK(editor->path() == path);
    CHECK(editor->markdown() == before);
  }
  const auto lesson = ui::readLesson(path.toStdString());
  REQUIRE(lesson);
  CHECK(lesson->messages.empty());
  CHECK(lesson->steps.size() == 2);
  press("up");
  const auto moved = ui::parseLesson(editor->markdown().toStdString(), "m.md");
  REQUIRE(moved);
  CHECK(moved->steps.front().steps.front().source.find("points[0]") != std::string::npos);
  REQUIRE(editor->saveTo(path));  // nothing is left to ask about
  editor->close();

  // The point was there before; what was recorded is the rest.
  REQUIRE(writeFile(path.toStdString(),
                    "# Made\n\n## Begin\n\n```steps\nexhibit flow\nset flow.q 0.8\nadd point 0.3,0.3\n```\n\n" +
                        editor->markdown().toStdString().substr(editor->markdown().toStdString().find("## "))));
  app::Options options;
  const auto played = app::playHeadless(options, path.toStdString());
  if (!played) FAIL(played.error().sentence);
  CHECK(played->expectations == 1);
  qunsetenv("XDG_DATA_HOME");
}
