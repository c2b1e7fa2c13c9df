// SPDX-License-Identifier: Apache-2.0
// The Qt studio: reads the flags, decides about display and device before QApplication exists, then shows one window.
#include <clocale>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "app/data_files.h"
#include "app/headless.h"
#include "app/studio/display.h"
#include "app/studio/main_window.h"
#include "app/studio/script_window.h"
#include "app/studio/studio_style.h"
#include "app/studio/waker.h"
#include "app/window_session.h"
#include "engine/core/log.h"
#include "ui/properties/tr.h"

#include <QApplication>
#include <QIcon>
#include <QScreen>

namespace {

using namespace sepx;

int report(const Error& error) {
  fmt::print(stderr, "separatrix: {}\n", error.sentence);
  return exitStatus(error.kind);
}

/// What a bare start shows.
std::string fileOrOpening(const app::Options& options, const std::string& file) {
  if (!file.empty() || !options.script.empty()) return file;
  return app::openingLesson().value_or(std::string());
}

int runWithoutDisplay(const app::Options& options, const std::string& file) {
  if (!options.script.empty()) {
    const auto played = app::playHeadless(options, options.script);
    return played ? 0 : report(played.error());
  }
  if (!options.shot.empty()) {
    const auto rendered = app::renderHeadless(options, fileOrOpening(options, file), options.shot);
    return rendered ? 0 : report(rendered.error());
  }
  return report({ErrorKind::NoDevice, ui::tr("no display: start an X server (or XWayland) and set DISPLAY; --shot PNG "
                                             "writes the picture without one, and sepx needs none")});
}

/// Opens the file or the opening lesson; a file that a script or a shot needs must open.
Result<void> openFirst(app::WindowSession& session, const app::Options& options, const std::string& file) {
  const std::string path = fileOrOpening(options, file);
  if (path.empty()) return {};
  const auto opened = session.workbench().open(path);
  if (opened || session.simulated()) return opened;
  report(opened.error());  // a person reads the failure on screen as well, and goes on from there
  return {};
}

/// In Qt points. --size counts pixels; a bare start fits the screen.
QSize firstSize(const app::Options& options, const app::WindowSession& session, const QWidget& window) {
  const gpu::Extent size = options.sizeOrDefault();
  const QSize wanted(int(size.width), int(size.height));
  if (options.size || session.simulated()) return wanted / window.devicePixelRatioF();
  return wanted.boundedTo(window.screen()->availableSize());
}

int runStudio(QApplication& application, const app::Options& options, const std::string& file,
              std::unique_ptr<gpu::Context> context) {
  app::Waker waker;
  app::WindowSession session(options, std::move(context), false, [&waker] { emit waker.woken(); });
  if (const auto opened = openFirst(session, options, file); !opened) return report(opened.error());
  int status = 0;
  {
    app::MainWindow window(session);
    QObject::connect(&waker, &app::Waker::woken, &window, &app::MainWindow::wake);
    window.resize(firstSize(options, session, window));
    app::ScriptWindow script(window, session, options);
    QObject::connect(&script, &app::ScriptWindow::finished, &application, &QApplication::quit);
    window.show();
    window.viewport().widget()->setFocus();
    if (session.simulated()) script.start();
    QApplication::exec();
    status = script.status();
  }
  if (const auto clean = session.validationOutcome(); !clean && status == 0) status = report(clean.error());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  setUpLog();
  ui::setUpTranslations();

  app::Options options;
  std::string file;
  CLI::App cli(ui::tr("Separatrix: the studio"), "separatrix");
  app::addCommonFlags(cli, options);
  cli.add_option("FILE", file, ui::tr("a session (.sepx) or a lesson (.md)"));
  const auto parsed = app::parseArguments(cli, {argv + 1, argv + argc});
  if (!parsed) return report(parsed.error());
  if (*parsed) {
    fmt::print("{}", **parsed);
    return 0;
  }

  const app::Display display = app::chooseDisplay();
  if (display == app::Display::None) return runWithoutDisplay(options, file);
  auto context = gpu::Context::create(app::contextOptions(options, display == app::Display::Native));
  if (!context) return report(context.error());

  if (options.scale > 0) qputenv("QT_SCALE_FACTOR", QByteArray::fromStdString(fmt::format("{}", options.scale)));
  QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
  QApplication::setStyle(new app::StudioStyle);
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("separatrix"));
  QApplication::setApplicationDisplayName(QStringLiteral("Separatrix"));
  QApplication::setDesktopFileName(QStringLiteral("separatrix"));
  if (const auto icon = app::findData("icons/separatrix-128.png")) {
    QApplication::setWindowIcon(QIcon(QString::fromStdString(*icon)));
  }
  std::setlocale(LC_NUMERIC, "C");  // QApplication sets the person's locale; numbers have a decimal point everywhere
  return runStudio(application, options, file, std::move(*context));
}
