// SPDX-License-Identifier: Apache-2.0
// What stands around the picture in the studio: palette, preferences, export, jobs, messages, the layout that is
// remembered, files that are dropped or handed over.
#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/studio/command_palette.h"
#include "app/studio/export_dialog.h"
#include "app/studio/figure_path.h"
#include "app/studio/fuzzy.h"
#include "app/studio/inspector.h"
#include "app/studio/messages_dialog.h"
#include "app/studio/preferences.h"
#include "app/studio/restore_dialog.h"
#include "engine/core/references.h"
#include "tests/hosts/studio_rig.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFontMetrics>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QToolBar>
#include <QTreeWidget>
#include <QUrl>

namespace {

using namespace sepx;
using tests::freshFolder;
using tests::Studio;
using tests::whenDialog;

int scoreOf(const char* typed, const char* text) {
  const auto match = app::fuzzyMatch(QString::fromUtf8(typed), QString::fromUtf8(text));
  return match ? match->score : -1000000;
}

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
  // Qt delivers a drop to the widget that took the drag.
  QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(on, &enter);
  CHECK(enter.isAccepted());
  QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(on, &event);
  QTest::qWait(100);
}

}  // namespace

TEST_CASE("A few letters find a line by the beginnings of its words") {
  CHECK(app::fuzzyMatch(QStringLiteral("rv"), QStringLiteral("Reset view")));
  CHECK_FALSE(app::fuzzyMatch(QStringLiteral("vr"), QStringLiteral("Reset view")));
  CHECK(app::fuzzyMatch(QStringLiteral("view reset"), QStringLiteral("Reset view")));
  CHECK(app::fuzzyMatch(QStringLiteral("RESET"), QStringLiteral("reset view")));
  CHECK(app::fuzzyMatch(QStringLiteral("reglage"), QStringLiteral("Réglages")));
  CHECK(app::fuzzyMatch(QString(), QStringLiteral("anything")));
  CHECK_FALSE(app::fuzzyMatch(QStringLiteral("x"), QString()));
  CHECK(scoreOf("sp", "Save picture") > scoreOf("sp", "Display"));
  CHECK(scoreOf("undo", "Undo: move point 3") > scoreOf("undo", "Turn down"));
  CHECK(scoreOf("open", "Open…") > scoreOf("open", "Open recent files of last week"));
  const auto match = app::fuzzyMatch(QStringLiteral("rv"), QStringLiteral("Reset view"));
  CHECK(match->places == QVector<int>{0, 6});
}

TEST_CASE("The palette runs a command and goes to a parameter, by keyboard alone") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(tests::kBad);
  const auto choose = [&](const char* typed) {
    int opened = 0;
    whenDialog<app::CommandPalette>([&](app::CommandPalette& palette) {
      ++opened;
      auto* field = palette.findChild<QLineEdit*>(QStringLiteral("palette.field"));
      QTest::keyClicks(field, QString::fromUtf8(typed));
      QTest::keyClick(field, Qt::Key_Return);
    });
    QTest::keyClick(studio.window.get(), Qt::Key_K, Qt::ControlModifier);
    REQUIRE(Studio::waitFor([&] { return opened == 1 && !QApplication::activeModalWidget(); }));
    QTest::qWait(50);
    studio.settle();
  };
  choose("undo");
  CHECK(studio.real("flow.points.count") == 0);
  choose("redo");
  CHECK(studio.real("flow.points.count") == 1);
  choose("flow.gauss.sigma");
  REQUIRE(studio.window->focusWidget());
  CHECK(studio.window->focusWidget()->objectName() == QLatin1String("flow.gauss.sigma"));
}

TEST_CASE("The palette lists each command with its key, parameters with their value, and lessons") {
  Studio studio;
  int keys = 0, parameters = 0, lessons = 0;
  for (const auto& entry : studio.window->paletteEntries()) {
    CHECK_FALSE(entry.title.isEmpty());
    CHECK_FALSE(entry.title.contains(u'&'));
    keys += entry.detail == QLatin1String("Ctrl+O");
    parameters += entry.group == QLatin1String("Parameter") && !entry.detail.isEmpty();
    lessons += entry.group == QLatin1String("Lesson");
  }
  CHECK(keys == 1);
  CHECK(parameters > 8);
  CHECK(lessons > 1);
}

TEST_CASE("Preferences take effect at once and last") {
  const std::string home = freshFolder("preferences-home");
  {
    Studio studio(home);
    const float before = studio.window->viewport().scale();
    app::Preferences dialog(studio.session->settings(), studio.window.get());
    QObject::connect(&dialog, &app::Preferences::changed, studio.window.get(), &app::MainWindow::wake);
    dialog.show();
    auto* theme = dialog.findChild<QComboBox*>(QStringLiteral("settings.theme"));
    REQUIRE(theme);
    theme->setCurrentIndex(theme->findData(QStringLiteral("light")));
    emit theme->activated(theme->currentIndex());
    REQUIRE(Studio::waitFor([&] { return studio.workbench().theme() == "light"; }));
    auto* scale = dialog.findChild<app::NumberEdit*>(QStringLiteral("settings.scale"));
    REQUIRE(scale);
    const int height = QFontMetrics(QApplication::font()).height();
    studio.type(*scale, "2");
    REQUIRE(Studio::waitFor([&] { return studio.window->viewport().scale() == 2 * before; }));
    CHECK(QFontMetrics(QApplication::font()).height() > 1.8 * height);
    QTest::qWait(100);  // sizes follow the type
    for (auto* field : dialog.findChildren<QComboBox*>()) {
      INFO(field->objectName().toStdString());
      CHECK(dialog.rect().contains(QRect(field->mapTo(&dialog, QPoint()), field->size()).center()));
      CHECK(field->mapTo(&dialog, QPoint(field->width(), 0)).x() <= dialog.width());
    }
    if (const QString folder = qEnvironmentVariable("SEPX_LOOK"); !folder.isEmpty())
      dialog.grab().save(folder + QStringLiteral("/preferences-scale-2.png"));
    studio.type(*scale, "7");
    CHECK(dialog.findChild<QLabel*>(QStringLiteral("preferences.refused"))->isVisible());
    CHECK(studio.window->viewport().scale() == 2 * before);
    studio.settle();
  }
  QApplication::setFont(QFont());
  Studio again(home);
  CHECK(again.workbench().theme() == "light");
  const ui::Value scale = again.session->settings().get("settings.scale");
  CHECK(std::get<double>(scale) == 2);
  REQUIRE(again.session->settings().set("settings.scale", 1.0));
  again.window->wake();
  again.settle();
}

TEST_CASE("The export dialog asks what the format needs, and previews the figure") {
  Studio studio;
  studio.addPoint(tests::kBad);
  app::ExportDialog dialog(studio.workbench(), &studio.session->context(), studio.session->settings(), {},
                           studio.window.get());
  dialog.show();
  auto* preview = dialog.findChild<QLabel*>(QStringLiteral("export.preview"));
  REQUIRE(Studio::waitFor([&] { return dialog.previewDone(); }));
  CHECK_FALSE(preview->pixmap(Qt::ReturnByValue).isNull());
  auto* format = dialog.findChild<QComboBox*>(QStringLiteral("export.format"));
  const auto take = [&](const char* key) {
    format->setCurrentIndex(format->findData(QString::fromLatin1(key)));
    emit format->activated(format->currentIndex());
  };
  const auto shown = [&](const char* name) {
    return dialog.findChild<QWidget*>(QString::fromLatin1(name))->isVisible();
  };
  take("png");
  CHECK((shown("export.scale") && shown("export.theme") && !shown("export.table") && !shown("export.rate")));
  CHECK(dialog.suffix() == QLatin1String(".png"));
  take("csv");
  CHECK((shown("export.table") && !shown("export.theme") && !shown("export.width")));
  CHECK(preview->text().contains(QLatin1String("points")));
  auto* table = dialog.findChild<QComboBox*>(QStringLiteral("export.table"));
  REQUIRE(table->count() > 1);
  CHECK(dialog.suffix() == QLatin1String(".csv"));
  table->setCurrentIndex(1);
  CHECK(dialog.suffix() == u'.' + table->currentData().toString() + QLatin1String(".csv"));
  take("mp4");
  CHECK((shown("export.rate") && shown("export.seconds") && !shown("export.caption")));
  take("pdf");
  dialog.findChild<QCheckBox*>(QStringLiteral("export.legend"))->setChecked(false);
  dialog.findChild<QDoubleSpinBox*>(QStringLiteral("export.width"))->setValue(333);
  CHECK_FALSE(dialog.request().legend);
  CHECK(dialog.request().width == 333);
  dialog.remember();
  const app::ExportDialog later(studio.workbench(), nullptr, studio.session->settings(), {}, studio.window.get());
  CHECK(later.request().width == 333);
  CHECK_FALSE(later.request().legend);
  CHECK(later.format() == "pdf");
  studio.settle();
}

TEST_CASE("The format of a figure follows a typed ending, and the ending a chosen format") {
  const auto path = [](const char* typed, const char* suffix) {
    return app::figurePath(QString::fromUtf8(typed), QString::fromUtf8(suffix)).toStdString();
  };
  CHECK(path("/a/charts", ".png") == "/a/charts.png");
  CHECK(path("/a/charts.png", ".png") == "/a/charts.png");
  CHECK(path("/a/charts.pdf", ".png") == "/a/charts.pdf");
  CHECK(path("/a/charts.PDF", ".png") == "/a/charts.pdf");
  CHECK(path("/a/charts.npz", ".paths.csv") == "/a/charts.npz");
  CHECK(path("/a/charts.csv", ".paths.csv") == "/a/charts.paths.csv");
  CHECK(path("/a/charts.2024", ".svg") == "/a/charts.2024.svg");
  CHECK(path("/a.pdf/charts", ".svg") == "/a.pdf/charts.svg");
  CHECK(path("", ".svg").empty());
  CHECK(app::withFigureSuffix(QStringLiteral("charts.png"), QStringLiteral(".pdf")) == QLatin1String("charts.pdf"));
  for (const QString& filter : app::figureFilters()) {
    const QString suffix = app::figureSuffix(filter, QStringLiteral(".other"));
    CHECK(app::figureFilter(suffix) == filter);
  }
  const QString csv = app::figureFilter(QStringLiteral(".csv"));
  CHECK(app::figureSuffix(csv, QStringLiteral(".paths.csv")) == QLatin1String(".paths.csv"));
}

TEST_CASE("A figure is written under the name that was typed") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(tests::kBad);
  const std::string folder = freshFolder("typed-ending");
  whenDialog<app::ExportDialog>([&](app::ExportDialog& dialog) {
    auto* format = dialog.findChild<QComboBox*>(QStringLiteral("export.format"));
    format->setCurrentIndex(format->findData(QStringLiteral("png")));
    emit format->activated(format->currentIndex());
    whenDialog<QFileDialog>([&](QFileDialog& files) {
      auto* name = files.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
      CHECK(name->text().endsWith(QLatin1String(".png")));
      // Another format chosen there takes its ending along.
      files.selectNameFilter(app::figureFilter(QStringLiteral(".svg")));
      emit files.filterSelected(app::figureFilter(QStringLiteral(".svg")));
      CHECK(name->text().endsWith(QLatin1String(".svg")));
      name->setText(QString::fromStdString(folder + "/charts.pdf"));
      QMetaObject::invokeMethod(&files, "accept");
    });
    dialog.accept();
  });
  studio.child<QAction>("file.export").trigger();
  REQUIRE(Studio::waitFor([&] { return std::ifstream(folder + "/charts.pdf").good(); }));
  studio.settle();
  std::string start(5, ' ');
  std::ifstream(folder + "/charts.pdf").read(start.data(), 5);
  CHECK(start == "%PDF-");
  CHECK_FALSE(std::ifstream(folder + "/charts.pdf.png").good());
  studio.window->setAsking(false);
}

TEST_CASE("Numbers and pictures of a split window are those of all panes, or of one") {
  Studio studio;
  REQUIRE(studio.workbench().run("view.split-two"));
  studio.workbench().activatePane(2);
  studio.window->wake();
  studio.settle();
  app::ExportDialog dialog(studio.workbench(), nullptr, studio.session->settings(), {}, studio.window.get());
  dialog.show();
  CHECK(dialog.request().pane == 0);
  auto* format = dialog.findChild<QComboBox*>(QStringLiteral("export.format"));
  format->setCurrentIndex(format->findData(QStringLiteral("csv")));
  emit format->activated(format->currentIndex());
  CHECK(dialog.request().pane == 0);
  auto* pane = dialog.findChild<QComboBox*>(QStringLiteral("export.pane"));
  REQUIRE(pane->isVisible());
  pane->setCurrentIndex(pane->findData(2));
  CHECK(dialog.request().pane == 2);
}

TEST_CASE("A figure of the studio is made while the window stays alive, and says that it is written") {
  Studio studio;
  studio.addPoint(tests::kBad);
  ui::FigureRequest request;
  request.path = freshFolder("studio-figure") + "/figure.svg";
  REQUIRE(studio.workbench().exportFigure(request));
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return std::ifstream(request.path).good(); }));
  studio.settle();
  CHECK(studio.workbench().messages().back().sentence.find("figure.svg") != std::string::npos);
}

TEST_CASE("Panels stand next time where a person put them") {
  const std::string home = freshFolder("layout-home");
  {
    Studio studio(home);
    studio.child<QDockWidget>("library").toggleViewAction()->trigger();
    studio.child<QDockWidget>("jobs").toggleViewAction()->trigger();
    studio.window->addDockWidget(Qt::LeftDockWidgetArea, &studio.child<QDockWidget>("inspector"));
    studio.window->resize(1400, 800);
    studio.settle();
    CHECK(studio.window->close());
  }
  Studio again(home);
  CHECK(again.window->recallsLayout());
  CHECK_FALSE(again.child<QDockWidget>("library").isVisible());
  CHECK(again.child<QDockWidget>("jobs").isVisible());
  CHECK(again.window->dockWidgetArea(&again.child<QDockWidget>("inspector")) == Qt::LeftDockWidgetArea);
  again.child<QAction>("window.reset").trigger();
  again.settle();
  CHECK(again.child<QDockWidget>("library").isVisible());
  CHECK_FALSE(again.child<QDockWidget>("jobs").isVisible());
  CHECK(again.window->dockWidgetArea(&again.child<QDockWidget>("inspector")) == Qt::RightDockWidgetArea);
}

TEST_CASE("Several files at once: a session, and points to add; also on a panel") {
  Studio studio;
  const std::string folder = freshFolder("drop-several");
  studio.addPoint(tests::kBad);
  REQUIRE(studio.workbench().save(folder + "/one.sepx"));
  REQUIRE(studio.workbench().save(folder + "/two.sepx"));
  const QString points = QString::fromStdString(write(folder + "/points.csv", "e,w\n0.25,-0.5\n0.75,0.125\n"));
  const QString one = QString::fromStdString(folder + "/one.sepx"), two = QString::fromStdString(folder + "/two.sepx");
  drop(studio.window->viewport().receiver(), {points, one, two});
  REQUIRE(Studio::waitFor([&] { return studio.real("flow.points.count") == 3; }));
  CHECK(studio.workbench().path() == folder + "/one.sepx");
  CHECK(studio.workbench().messages().back().sentence.find("two.sepx") != std::string::npos);
  drop(&studio.child<QDockWidget>("library"), {points});
  REQUIRE(Studio::waitFor([&] { return studio.real("flow.points.count") == 5; }));
  studio.settle();
  CHECK(studio.real("flow.points[4].w") == 0.125);
}

TEST_CASE("Another program's change is not overwritten without a question") {
  Studio studio;
  const std::string path = freshFolder("conflict") + "/work.sepx";
  studio.addPoint(tests::kBad);
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

TEST_CASE("A session of a newer version says why it cannot be saved under its name") {
  Studio studio;
  const std::string path = write(freshFolder("newer") + "/newer.sepx", "{\"version\":99,\"flow\":{\"p\":0.25}}\n");
  REQUIRE(studio.open(path));
  studio.settle();
  CHECK(studio.child<QLabel>("banner.text").isVisible());
  CHECK_FALSE(studio.child<QLabel>("banner.text").text().isEmpty());
  REQUIRE(studio.window->startAnew());
  studio.settle();
  CHECK_FALSE(studio.child<QLabel>("banner.text").isVisible());
}

TEST_CASE("Messages can be copied with what a report needs") {
  Studio studio;
  studio.workbench().say({ui::Message::Level::Error, "the file is broken"});
  studio.window->showMessages();
  auto* dialog = studio.window->findChild<app::MessagesDialog*>();
  REQUIRE(dialog);
  dialog->findChild<QPushButton*>(QStringLiteral("messages.copy"))->click();
  const QString copied = QGuiApplication::clipboard()->text();
  CHECK(copied.contains(QLatin1String("the file is broken")));
  CHECK(copied.contains(QLatin1String("separatrix")));
  CHECK(copied.contains(QLatin1String("Qt ")));
  studio.settle();
}

TEST_CASE("What was left by a dead window is offered by name, and can be thrown away") {
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

TEST_CASE("The offer of unsaved work stands in the middle of its window, and says how that ended") {
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

TEST_CASE("The inspector is about the active pane and says which") {
  Studio studio;
  REQUIRE(studio.workbench().run("view.split-two"));
  studio.window->wake();
  studio.settle();
  studio.workbench().activatePane(2);
  studio.window->wake();
  studio.settle();
  auto& pane = studio.child<QLabel>("inspector.pane");
  CHECK(pane.isVisible());
  CHECK(pane.text().contains(QLatin1String("Pane 2 of 2")));
  const double first = studio.real("flow.p");
  studio.type(studio.child<app::NumberEdit>("flow.p"), "0.125");
  studio.settle();
  CHECK(studio.real("flow@2.p") == 0.125);
  CHECK(studio.real("flow.p") == first);
  studio.workbench().activatePane(1);
  studio.window->wake();
  studio.settle();
  CHECK(studio.child<app::NumberEdit>("flow.p").value() == Approx(first));
}

TEST_CASE("All chrome goes away with one key and comes back as it was") {
  Studio studio;
  auto& tools = studio.child<QToolBar>("tools");
  CHECK(tools.isVisible());
  QTest::keyClick(studio.window.get(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return !tools.isVisible() && !studio.window->menuBar()->isVisible(); }));
  QTest::keyClick(studio.window.get(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return tools.isVisible() && studio.window->menuBar()->isVisible(); }));
  tools.toggleViewAction()->trigger();
  CHECK_FALSE(tools.isVisible());
  QTest::keyClick(studio.window.get(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return !studio.window->menuBar()->isVisible(); }));
  QTest::keyClick(studio.window.get(), Qt::Key_B, Qt::ControlModifier);
  REQUIRE(Studio::waitFor([&] { return studio.window->menuBar()->isVisible(); }));
  CHECK_FALSE(tools.isVisible());
  studio.settle();
}

TEST_CASE("The picture's own menu offers what can be done there") {
  Studio studio;
  studio.addPoint(tests::kBad);
  const std::unique_ptr<QMenu> menu(studio.window->pictureMenu());
  QStringList names;
  for (const QAction* action : menu->actions())
    names << action->objectName();
  for (const char* wanted : {"flow.add-point", "flow.delete-point", "view.reset", "edit.copy-picture", "file.export"})
    CHECK(names.contains(QLatin1String(wanted)));
}

TEST_CASE("Keys in the picture ask before work is lost, and open menus") {
  Studio studio;
  studio.addPoint(tests::kBad);
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

TEST_CASE("About names the papers in full") {
  Studio studio;
  QString said;
  whenDialog<QMessageBox>([&](QMessageBox& box) {
    said = box.informativeText();
    box.reject();
  });
  studio.child<QAction>("help.about").trigger();
  REQUIRE(Studio::waitFor([&] { return !said.isEmpty() && !QApplication::activeModalWidget(); }));
  for (const Reference& paper : papers()) {
    INFO(paper.name);
    CHECK(said.contains(QString::fromStdString(citation(paper))));
  }
}

TEST_CASE("Each dialog opens from the window of somebody new") {
  Studio studio;
  studio.window->setAsking(true);
  for (const char* command : {"file.export", "edit.preferences", "view.palette"}) {
    INFO(command);
    int opened = 0;
    whenDialog<QDialog>([&](QDialog& dialog) {
      ++opened;
      dialog.reject();
    });
    studio.child<QAction>(command).trigger();
    REQUIRE(Studio::waitFor([&] { return opened == 1 && !QApplication::activeModalWidget(); }));
    studio.settle();
  }
}
