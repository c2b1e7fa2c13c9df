// SPDX-License-Identifier: Apache-2.0
// The parts of the studio around the picture: palette, preferences, messages, menus, the stored layout, and the display
// of text.
#include <fstream>

#include "app/studio/command_palette.h"
#include "app/studio/fuzzy.h"
#include "app/studio/inspector.h"
#include "app/studio/messages_dialog.h"
#include "app/studio/preferences.h"
#include "engine/core/references.h"
#include "tests/hosts/studio_rig.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFontMetrics>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QToolBar>
#include <QToolTip>
#include <QTreeWidget>

namespace {

using namespace sepx;
using tests::freshFolder;
using tests::kBad;
using tests::Studio;
using tests::whenDialog;

int scoreOf(const char* typed, const char* text) {
  const auto match = app::fuzzyMatch(QString::fromUtf8(typed), QString::fromUtf8(text));
  return match ? match->score : -1000000;
}

/// Checks that no visible label of a window lets Qt guess whether its text is HTML. Returns their number.
int checkLabels(const QWidget& window) {
  int seen = 0;
  for (const QLabel* label : window.findChildren<QLabel*>()) {
    if (!label->isVisible()) continue;
    ++seen;
    INFO(label->text().toStdString());
    CHECK(label->textFormat() != Qt::AutoText);
  }
  return seen;
}

/// The label of the tooltip; null: there is none.
const QLabel* shownTip() {
  for (const QWidget* widget : QApplication::topLevelWidgets())
    if (widget->inherits("QTipLabel")) return qobject_cast<const QLabel*>(widget);
  return nullptr;
}

}  // namespace

TEST_CASE("A few letters match a line by the beginnings of its words") {
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

TEST_CASE("A name with an HTML tag is shown literally in labels, questions and tooltips") {
  // Interpreted as HTML, this is an image without an end.
  const std::string tag = "<img src=&#47;dev&#47;zero>", folder = freshFolder("tags");
  Studio studio;
  const std::string session = folder + "/x" + tag + ".sepx";
  std::ofstream(session) << "{\"version\":99,\"flow\":{\"p\":0.25}}\n";
  REQUIRE(studio.open(session));
  studio.settle();
  CHECK(studio.child<QLabel>("banner.text").textFormat() == Qt::PlainText);
  studio.window->setAsking(true);
  QString asked;
  whenDialog<QMessageBox>([&](QMessageBox& box) {
    asked = box.text();
    CHECK(checkLabels(box) > 0);
    box.button(QMessageBox::Cancel)->click();
  });
  CHECK_FALSE(studio.window->save());
  CHECK(asked.contains(QString::fromStdString(tag)));
  studio.window->setAsking(false);
  REQUIRE(studio.window->newSession());

  REQUIRE(studio.workbench().set("exhibit", std::string("reversal")));
  REQUIRE(studio.workbench().set("reversal.page", std::string("checkpoint")));
  REQUIRE(studio.workbench().set("reversal.checkpoint.file", folder + "/absent" + tag + ".safetensors"));
  studio.window->wake();
  studio.settle();
  REQUIRE(studio.window->inspector().goTo("reversal.checkpoint.file"));  // its group may be folded
  studio.window->wake();
  studio.settle();
  const auto& readOut = studio.child<QLabel>("reversal.checkpoint.failure");
  REQUIRE(readOut.isVisible());
  CHECK(readOut.text().contains(QString::fromStdString(tag)));
  CHECK(readOut.textFormat() == Qt::PlainText);
  CHECK(checkLabels(*studio.window) > 3);

  auto& field = studio.child<QLineEdit>("reversal.checkpoint.file");
  CHECK(field.toolTip().contains(QString::fromStdString(tag)));
  QToolTip::showText(field.mapToGlobal(QPoint(0, 0)), field.toolTip(), &field);
  const QLabel* const tip = shownTip();
  REQUIRE(tip);
  CHECK(tip->text() == field.toolTip());
  CHECK(tip->textFormat() == Qt::PlainText);
  QToolTip::hideText();
}

TEST_CASE("The palette runs a command and goes to a parameter, by keyboard only") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(kBad);
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

TEST_CASE("The palette lists commands with their shortcuts, parameters with their values, and lessons") {
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

TEST_CASE("The palette finds an entry by its name or by what it shows") {
  Studio studio;
  const auto found = [&studio](const char* typed) {
    app::CommandPalette palette(studio.window->paletteEntries(), studio.window.get());
    palette.findChild<QLineEdit*>(QStringLiteral("palette.field"))->setText(QString::fromUtf8(typed));
    QStringList titles;
    auto* const list = palette.findChild<QTreeWidget*>(QStringLiteral("palette.list"));
    for (int i = 0; i < list->topLevelItemCount(); ++i)
      titles << list->topLevelItem(i)->text(0);
    return titles;
  };
  const QString figure = QStringLiteral("Local-to-Global, Figure 4");
  for (const char* typed : {"figure 4", "local-to-global figure 4", "global fig 4"}) {
    INFO(typed);
    REQUIRE_FALSE(found(typed).isEmpty());
    CHECK(found(typed).front().startsWith(figure));
  }
  const QStringList shown = found("standard proposed initialisation");
  REQUIRE_FALSE(shown.isEmpty());
  CHECK(shown.front().startsWith(figure));
  const QStringList pdf = found("pdf");
  REQUIRE_FALSE(pdf.isEmpty());
  CHECK(pdf.front() == QStringLiteral("Export…"));
  CHECK(pdf.filter(QStringLiteral("Idealised flow")).isEmpty());  // p, d and f are only somewhere in it
  CHECK_FALSE(found("own data").filter(QStringLiteral("Choose a text file")).isEmpty());
}

TEST_CASE("Preferences take effect at once and are kept") {
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
    QString outside;
    const auto fits = [&] {
      outside.clear();
      for (auto* field : dialog.findChildren<QComboBox*>())
        if (!dialog.rect().contains(QRect(field->mapTo(&dialog, QPoint()), field->size()).center()) ||
            field->mapTo(&dialog, QPoint(field->width(), 0)).x() > dialog.width())
          outside += field->objectName() + QLatin1Char(' ');
      return outside.isEmpty();
    };
    Studio::waitFor(fits);  // sizes follow the size of the type
    CHECK(outside.toStdString() == "");
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

TEST_CASE("Preferences report a choice that cannot be saved") {
  const std::string home = freshFolder("preferences-unwritable");
  std::ofstream(home + "/XDG_CONFIG_HOME") << "a file where a folder should be";
  Studio studio(home);
  const std::size_t errors = studio.errors();
  bool said = false;
  whenDialog<app::Preferences>([&said](app::Preferences& dialog) {
    auto* theme = dialog.findChild<QComboBox*>(QStringLiteral("settings.theme"));
    const auto* refused = dialog.findChild<QLabel*>(QStringLiteral("preferences.refused"));
    theme->setCurrentIndex(theme->findData(QStringLiteral("light")));
    emit theme->activated(theme->currentIndex());
    said = Studio::waitFor([refused] {
      return refused->isVisible() && refused->text().contains(QLatin1String("until the program ends"));
    });
    dialog.reject();
  });
  studio.window->showPreferences();
  CHECK(said);
  CHECK(studio.workbench().theme() == "light");
  CHECK(studio.errors() == errors + 1);  // one message, which is seen after the dialog is closed
}

TEST_CASE("Panels keep their places in the next window") {
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

TEST_CASE("Messages can be copied with the information for a report") {
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

TEST_CASE("The inspector shows the active pane and its number") {
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

TEST_CASE("One key hides menus and bars, and shows them again as before") {
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

TEST_CASE("The context menu of the picture has its commands") {
  Studio studio;
  studio.addPoint(kBad);
  const std::unique_ptr<QMenu> menu(studio.window->pictureMenu());
  QStringList names;
  for (const QAction* action : menu->actions())
    names << action->objectName();
  for (const char* wanted : {"flow.add-point", "flow.delete-point", "view.reset", "edit.copy-picture", "file.export"})
    CHECK(names.contains(QLatin1String(wanted)));
}

TEST_CASE("About gives the papers in full") {
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

TEST_CASE("Each dialog opens in the window of a new user") {
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
