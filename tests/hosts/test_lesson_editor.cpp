// SPDX-License-Identifier: Apache-2.0
// A lesson made by hand in the studio: recorded with the pointer, with an expectation, reordered, saved and played.
// Then its expectation holds without a display.

#include <filesystem>

#include "app/data_files.h"
#include "app/headless.h"
#include "app/studio/lesson_editor.h"
#include "engine/core/file.h"
#include "tests/hosts/studio_rig.h"
#include "ui/document/lesson.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace {

using namespace sepx;
using tests::Answers;
using tests::freshFolder;
using tests::kBad;
using tests::kGood;
using tests::Studio;
using tests::whenDialog;

}  // namespace

TEST_CASE("A lesson is recorded from actions, and its expectation holds without a display") {
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

  // The first step begins with the current state of the window, with the point. The second is the drag.
  REQUIRE(studio.workbench().set("flow.q", 0.7));
  press("record");
  REQUIRE(studio.workbench().set("flow.show.basin", true));
  REQUIRE(studio.workbench().set("flow.p", 0.4));
  studio.window->wake();
  studio.settle();
  press("record");
  CHECK_THAT(editor->markdown().toStdString(),
             Catch::Contains("```steps\nopen sepx:1:") && Catch::Contains("flow.p 0.4"));
  // A change between two recordings is added to the next one. Without a change nothing is added.
  REQUIRE(studio.workbench().set("flow.q", 0.8));
  studio.window->wake();
  studio.settle();
  press("step");
  studio.window->raise();
  studio.window->activateWindow();
  REQUIRE(Studio::waitFor([&] { return QApplication::activeWindow() == studio.window.get(); }));
  press("record");
  studio.drag(studio.at(kBad), studio.at(kGood));
  studio.settle();
  press("record");
  // Accurate to a pixel of a window of any size.
  CHECK_THAT(editor->markdown().toStdString(),
             Catch::Contains("flow.points[0].w -1.3") || Catch::Contains("flow.points[0].w -1.2"));
  CHECK_THAT(editor->markdown().toStdString(), Catch::Contains("```steps\nset flow.q 0.8\n"));
  CHECK(editor->markdown().count(QLatin1String("open sepx:1:")) == 1);
  whenDialog<QInputDialog>([](QInputDialog& dialog) {
    const QStringList items = dialog.comboBoxItems();
    for (const QString& item : items)
      if (item.startsWith(QLatin1String("flow.points[0].limit.kind"))) dialog.setTextValue(item);
    dialog.accept();
  });
  press("expect");
  CHECK_THAT(editor->markdown().toStdString(), Catch::Contains("expect flow.points[0].limit.kind == global-min"));

  // An error is listed, and disappears when it is undone.
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

  // The user keeps the changes in the lesson: the lesson does not continue, and the editor reports it.
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
  // A file that cannot be read: the text stays that of the current file.
  {
    const Answers answers(QMessageBox::Ok);
    const QString before = editor->markdown();
    editor->edit(QString::fromStdString(folder + "/none.md"));
    CHECK(answers.asked() == 1);
    CHECK(editor->path() == path);
    CHECK(editor->markdown() == before);
  }
  const QString made = editor->markdown();
  const auto lesson = ui::readLesson(path.toStdString());
  REQUIRE(lesson);
  CHECK(lesson->messages.empty());
  CHECK(lesson->steps.size() == 2);
  press("up");
  const auto moved = ui::parseLesson(editor->markdown().toStdString(), "m.md");
  REQUIRE(moved);
  CHECK(moved->steps.front().steps.back().source.find("points[0]") != std::string::npos);
  REQUIRE(editor->saveTo(path));  // avoids the question about unsaved changes
  editor->close();

  // The text before the steps were exchanged, as it was played: it works from an empty document.
  REQUIRE(writeFile(path.toStdString(), made.toStdString()));
  app::Options options;
  const auto played = app::playHeadless(options, path.toStdString());
  if (!played) FAIL(played.error().message);
  CHECK(played->expectations == 1);
  qunsetenv("XDG_DATA_HOME");
}

TEST_CASE("A lesson is exported as a page in a private folder, and played on the stage") {
  const std::string folder = freshFolder("lesson-previews");
  Studio studio;
  studio.window->showLessonEditor();
  auto* const editor = studio.window->findChild<app::LessonEditor*>();
  REQUIRE(editor);
  const auto press = [editor](const char* name) {
    auto* const button = editor->findChild<QPushButton*>(QStringLiteral("lesson-editor.") + QLatin1String(name));
    REQUIRE(button);
    QTest::mouseClick(button, Qt::LeftButton);
  };
  auto* const text = editor->findChild<QPlainTextEdit*>();
  auto* const faults = editor->findChild<QListWidget*>();
  std::string page;  // the test starts no browser and no second program
  bool presents = false;
  QObject::disconnect(editor, &app::LessonEditor::pageWritten, nullptr, nullptr);
  QObject::connect(editor, &app::LessonEditor::pageWritten, editor,
                   [&page](const QString& path) { page = path.toStdString(); });
  QObject::disconnect(editor, &app::LessonEditor::presents, nullptr, nullptr);
  QObject::connect(editor, &app::LessonEditor::presents, editor, [&presents] { presents = true; });
  text->setPlainText(
      QStringLiteral("# Seen\n\n## One\n\n```steps\nset flow.p 0.25\n```\n\n## Two\n\nWords of the "
                     "second step.\n"));
  REQUIRE(editor->saveTo(QString::fromStdString(folder + "/seen.md")));
  press("page");
  REQUIRE(Studio::waitFor([&] { return !page.empty(); }));
  CHECK_THAT(faults->item(faults->count() - 1)->text().toStdString(), Catch::Contains(page));
  const auto html = readFile(page);
  REQUIRE(html);
  CHECK_THAT(*html, Catch::Contains("Words of the second step."));
  const auto mode = std::filesystem::status(std::filesystem::path(page).parent_path()).permissions();
  CHECK((mode & (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) ==
        std::filesystem::perms::none);
  // A lesson that cannot be written gives the reason.
  text->setPlainText(QStringLiteral("# Seen\n"));
  page.clear();
  press("page");
  REQUIRE(Studio::waitFor([&] {
    return faults->count() > 0 &&
           faults->item(faults->count() - 1)->text().contains(QLatin1String("at least one step"));
  }));
  CHECK(page.empty());
  // The presentation begins when the lesson has reached the step with the cursor.
  text->setPlainText(QStringLiteral("# Seen\n\n## One\n\n```steps\nset flow.p 0.25\n```\n\n## Two\n\nMore.\n"));
  text->moveCursor(QTextCursor::End);
  press("stage");
  REQUIRE(Studio::waitFor([&] { return presents; }));
  CHECK(studio.workbench().lessonStep() == 1);
  CHECK(studio.real("flow.p") == 0.25);
  REQUIRE(editor->saveTo(QString::fromStdString(folder + "/seen.md")));
  editor->close();
}

TEST_CASE("The editor starts with the open lesson, or with a copy if it is not the user's own") {
  const std::string folder = freshFolder("lesson-copy");
  qputenv("XDG_DATA_HOME", QByteArray::fromStdString(folder + "/data"));
  const std::string given = folder + "/given.md", content = "# Given\n\n## One\n\nWords.\n";
  REQUIRE(writeFile(given, content));
  Studio studio;
  REQUIRE(studio.workbench().open(given));
  studio.window->showLessonEditor();
  auto* const editor = studio.window->findChild<app::LessonEditor*>();
  REQUIRE(editor);
  CHECK(editor->markdown().toStdString() == content);
  CHECK(editor->path().isEmpty());  // saving asks for a path, and the given file stays unchanged
  CHECK_THAT(editor->windowTitle().toStdString(), Catch::Contains("copy of given.md"));
  const QString own = QString::fromStdString(folder + "/own.md");
  whenDialog<QFileDialog>([&](QFileDialog& dialog) {
    auto* const name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    CHECK(name->text() == QLatin1String("Given.md"));
    name->setText(own);
    QMetaObject::invokeMethod(&dialog, "accept");
  });
  editor->findChild<QPushButton*>(QStringLiteral("lesson-editor.save"))->click();
  CHECK(editor->path() == own);
  CHECK(*readFile(given) == content);
  editor->close();
  qunsetenv("XDG_DATA_HOME");
}

TEST_CASE("A lesson saved in the user's folder is listed in the library and in the menu at once") {
  qputenv("XDG_DATA_HOME", QByteArray::fromStdString(freshFolder("own-lessons")));
  Studio studio;
  const QString title = QStringLiteral("A lesson of my own");
  auto& library = studio.child<QTreeWidget>("lessons");
  const auto inMenus = [&] {
    int found = 0;
    for (QMenu* const menu : studio.window->findChildren<QMenu*>()) {
      emit menu->aboutToShow();
      for (const QAction* const action : menu->actions())
        found += action->text().remove(QLatin1Char('&')) == title;
    }
    return found;
  };
  CHECK(library.findItems(title, Qt::MatchExactly | Qt::MatchRecursive).isEmpty());
  CHECK(inMenus() == 0);
  std::filesystem::create_directories(app::ownLessonsFolder());
  REQUIRE(writeFile(app::ownLessonsFolder() + "/own.md", "# A lesson of my own\n\n## Step\n\nText.\n"));
  CHECK(Studio::waitFor([&] {
    studio.window->wake();
    return library.findItems(title, Qt::MatchExactly | Qt::MatchRecursive).size() == 1;
  }));
  CHECK(inMenus() == 1);
  qunsetenv("XDG_DATA_HOME");
}
