// SPDX-License-Identifier: Apache-2.0
// Figures that the studio writes: the options of the export dialog, names and extensions, and the window, which
// continues meanwhile.
#include <fstream>

#include "app/studio/export_dialog.h"
#include "app/studio/figure_path.h"
#include "tests/hosts/studio_rig.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>

namespace {

using namespace sepx;
using tests::freshFolder;
using tests::kBad;
using tests::Studio;
using tests::whenDialog;

}  // namespace

TEST_CASE("The export dialog shows the options of the format and a preview of the figure") {
  Studio studio;
  studio.addPoint(kBad);
  app::ExportDialog dialog(studio.workbench(), studio.session->settings(), {}, studio.window.get());
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
  take("html");
  CHECK((shown("export.slider") && shown("export.theme") && shown("export.caption")));
  CHECK((!shown("export.slider-from") && !shown("export.lesson") && !shown("export.rate")));
  CHECK(dialog.suffix() == QLatin1String(".html"));
  CHECK(dialog.request().sweep.key.empty());
  auto* slider = dialog.findChild<QComboBox*>(QStringLiteral("export.slider"));
  slider->setCurrentIndex(slider->findData(QStringLiteral("flow.p")));
  emit slider->activated(slider->currentIndex());
  CHECK((shown("export.slider-from") && shown("export.slider-to") && shown("export.slider-pictures")));
  dialog.findChild<QDoubleSpinBox*>(QStringLiteral("export.slider-pictures"))->setValue(3);
  // 0 and 1 are not valid probabilities of a chain.
  CHECK((dialog.request().sweep == ui::FigureSweep{"flow.p", 0.1, 0.9, 3}));
  REQUIRE(Studio::waitFor([&] { return dialog.previewDone(); }));
  CHECK_FALSE(preview->pixmap(Qt::ReturnByValue).isNull());
  take("pdf");
  CHECK(dialog.request().sweep.key.empty());
  dialog.findChild<QCheckBox*>(QStringLiteral("export.legend"))->setChecked(false);
  dialog.findChild<QDoubleSpinBox*>(QStringLiteral("export.width"))->setValue(333);
  CHECK_FALSE(dialog.request().legend);
  CHECK(dialog.request().width == 333);
  dialog.remember();
  const app::ExportDialog later(studio.workbench(), studio.session->settings(), {}, studio.window.get());
  CHECK(later.request().width == 333);
  CHECK_FALSE(later.request().legend);
  CHECK(later.format() == "pdf");
  studio.settle();
}

TEST_CASE("The export dialog stays open when the device is lost, and renders previews on the new device") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(kBad);
  bool struck = false, dropped = false, previewed = false, again = false, closed = false;
  whenDialog<app::ExportDialog>([&](app::ExportDialog& dialog) {
    auto* preview = dialog.findChild<QLabel*>(QStringLiteral("export.preview"));
    const auto pictured = [&] { return dialog.previewDone() && !preview->pixmap(Qt::ReturnByValue).isNull(); };
    // During a preview: its steps follow each other without a pause, and this timer runs between them.
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
      if (struck || !preview->text().startsWith(QLatin1String("Rendering"))) return;
      struck = true;
      studio.session->context().markLost();
      studio.window->wake();
    });
    // The first preview may be finished; another one is made after its picture is removed.
    REQUIRE(Studio::waitFor(pictured));
    preview->setPixmap(QPixmap());
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("export.width"))->setValue(300);
    watch.start(0);
    // This connection runs after that of the dialog, which has released the device by then.
    QObject::connect(studio.window.get(), &app::MainWindow::deviceLost, &watch,
                     [&] { dropped = dialog.previewDone(); });
    const auto drawn = studio.session->drawn();
    previewed = Studio::waitFor([&] { return struck && studio.session->drawn() > drawn + 1 && pictured(); });
    preview->setPixmap(QPixmap());
    dialog.findChild<QDoubleSpinBox*>(QStringLiteral("export.width"))->setValue(333);
    again = Studio::waitFor(pictured);
    dialog.reject();
    closed = true;
  });
  studio.child<QAction>("file.export").trigger();
  REQUIRE(Studio::waitFor([&] { return closed && !QApplication::activeModalWidget(); }));
  CHECK(struck);
  CHECK(dropped);
  CHECK(previewed);
  CHECK(again);
  CHECK(studio.window->hasPicture());
  studio.settle();
  studio.window->setAsking(false);
}

TEST_CASE("The format follows a typed extension, and the extension follows a chosen format") {
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

TEST_CASE("A figure is written with the typed name") {
  Studio studio;
  studio.window->setAsking(true);
  studio.addPoint(kBad);
  const std::string folder = freshFolder("typed-ending");
  whenDialog<app::ExportDialog>([&](app::ExportDialog& dialog) {
    auto* format = dialog.findChild<QComboBox*>(QStringLiteral("export.format"));
    format->setCurrentIndex(format->findData(QStringLiteral("png")));
    emit format->activated(format->currentIndex());
    whenDialog<QFileDialog>([&](QFileDialog& files) {
      auto* name = files.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
      CHECK(name->text().endsWith(QLatin1String(".png")));
      // Another format chosen in the file dialog changes the extension.
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

TEST_CASE("Numbers and pictures of a split window show all panes or a chosen one") {
  Studio studio;
  REQUIRE(studio.workbench().run("view.split-two"));
  studio.workbench().activatePane(2);
  studio.window->wake();
  studio.settle();
  app::ExportDialog dialog(studio.workbench(), studio.session->settings(), {}, studio.window.get());
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

TEST_CASE("Checked views become panels, and the page of a preset is adapted to them") {
  Studio studio;
  REQUIRE(studio.workbench().set("exhibit", std::string("reversal")));
  studio.window->wake();
  studio.settle();
  app::ExportDialog dialog(studio.workbench(), studio.session->settings(), {}, studio.window.get());
  dialog.show();
  auto* views = dialog.findChild<QScrollArea*>(QStringLiteral("export.views"));
  REQUIRE(views->isVisible());
  const auto boxes = views->findChildren<QCheckBox*>();
  REQUIRE(boxes.size() >= 2);
  CHECK(dialog.request().views.empty());
  CHECK_FALSE(dialog.findChild<QWidget*>(QStringLiteral("export.part"))->isVisible());  // no pane is zoomed
  auto* preset = dialog.findChild<QComboBox*>(QStringLiteral("export.preset"));
  preset->setCurrentIndex(preset->findData(QStringLiteral("single-column")));
  emit preset->activated(preset->currentIndex());
  const double one = dialog.request().height;
  boxes[0]->setChecked(true);
  boxes[1]->setChecked(true);
  CHECK(dialog.request().views.size() == 2);
  CHECK(dialog.request().height > one);  // two charts are above each other
  CHECK(preset->currentData().toString() == QLatin1String("single-column"));
  REQUIRE(Studio::waitFor([&] { return dialog.previewDone(); }));
  CHECK_FALSE(dialog.findChild<QLabel*>(QStringLiteral("export.preview"))->pixmap(Qt::ReturnByValue).isNull());
  CHECK_FALSE(dialog.findChild<QLabel*>(QStringLiteral("export.remark"))->isVisible());
  // The page remembers the views.
  dialog.remember();
  app::ExportDialog again(studio.workbench(), studio.session->settings(), {}, studio.window.get());
  CHECK(again.request().views == dialog.request().views);
  CHECK(again.request().height == dialog.request().height);
  again.findChild<QScrollArea*>(QStringLiteral("export.views"))->findChildren<QCheckBox*>()[0]->setChecked(false);
  again.remember();
  app::ExportDialog third(studio.workbench(), studio.session->settings(), {}, studio.window.get());
  CHECK(third.request().views.size() == 1);
}

TEST_CASE("The dialog reports what does not fit into a figure") {
  Studio studio;
  studio.addPoint(kBad);
  app::ExportDialog dialog(studio.workbench(), studio.session->settings(), {}, studio.window.get());
  dialog.show();
  for (const char* side : {"export.width", "export.height"})
    dialog.findChild<QDoubleSpinBox*>(QString::fromLatin1(side))->setValue(60);
  REQUIRE(Studio::waitFor([&] { return dialog.previewDone(); }));
  auto* remark = dialog.findChild<QLabel*>(QStringLiteral("export.remark"));
  CHECK(remark->isVisible());
  CHECK(remark->text().contains(QLatin1String("legend")));
}

TEST_CASE("The message about a saved figure disappears by itself in an idle window") {
  Studio studio;
  ui::FigureRequest request;
  request.path = freshFolder("studio-passing") + "/figure.svg";
  REQUIRE(studio.workbench().exportFigure(request));
  studio.window->wake();
  const auto shown = [&] { return studio.workbench().controlAt("workbench.message.close").has_value(); };
  REQUIRE(Studio::waitFor(shown));
  CHECK(studio.workbench().messages().back().text == "Saved figure.svg");
  CHECK(QTest::qWaitFor([&] { return !shown(); }, 20000));
}

TEST_CASE("The window stays responsive while a figure is made, and reports the written file") {
  Studio studio;
  studio.addPoint(kBad);
  ui::FigureRequest request;
  request.path = freshFolder("studio-figure") + "/figure.svg";
  REQUIRE(studio.workbench().exportFigure(request));
  studio.window->wake();
  REQUIRE(Studio::waitFor([&] { return std::ifstream(request.path).good(); }));
  studio.settle();
  CHECK(studio.workbench().messages().back().text.find("figure.svg") != std::string::npos);
}
