// SPDX-License-Identifier: Apache-2.0
// The Qt studio: reads the flags, chooses display and device before QApplication exists, then shows one window.
#include <algorithm>
#include <clocale>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "app/data_files.h"
#include "app/end_signals.h"
#include "app/headless.h"
#include "app/instance.h"
#include "app/milestone.h"
#include "app/studio/display.h"
#include "app/studio/main_window.h"
#include "app/studio/no_device.h"
#include "app/studio/script_window.h"
#include "app/studio/studio_style.h"
#include "app/studio/waker.h"
#include "app/window_session.h"
#include "engine/core/file.h"
#include "engine/core/log.h"
#include "engine/core/resource_limits.h"
#include "engine/core/terminal_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/translated_sentence.h"

#include <QApplication>
#include <QFont>
#include <QIcon>
#include <QMetaObject>
#include <QPalette>
#include <QScreen>

namespace {

using namespace sepx;

int report(const Error& error) {
  fmt::print(stderr, "separatrix: {}\n", printableSentence(ui::translatedSentence(error.message)));
  return exitStatus(error.kind);
}

int runWithoutDisplay(const app::Options& options, const std::vector<std::string>& files) {
  if (!options.script.empty()) {
    const auto played = app::playHeadless(options, options.script);
    return played ? 0 : report(played.error());
  }
  if (!options.shot.empty()) {
    const auto rendered = app::renderHeadless(options, files.empty() ? std::string() : files.front(), options.shot);
    return rendered ? 0 : report(rendered.error());
  }
  return report({ErrorKind::NoDevice, ui::tr("no display: start an X server (or XWayland) and set DISPLAY; --shot PNG "
                                             "writes the picture without one, and sepx needs none")});
}

/// Opens the files together, or what a start without files shows. Under a script or a shot, a failure is an error.
Result<void> openAll(app::WindowSession& session, const std::vector<std::string>& files) {
  const auto begin = session.initialContent(files.empty() ? std::string() : files.front());
  if (begin.startPage) return session.workbench().run("view.start");
  if (begin.file.empty()) return {};
  if (session.simulated() && files.size() < 2) return session.workbench().open(begin.file);
  // The window shows a failure, and the user continues from there.
  const auto opened = session.workbench().startOpening(files.empty() ? std::vector{begin.file} : files);
  return session.simulated() ? opened : Result<void>();
}

/// Later starts of the program hand their files to this window and end.
std::unique_ptr<app::Instance> receiveLater(app::MainWindow& window) {
  return app::Instance::listen(app::Instance::defaultSocketPath(), [&window](const std::vector<std::string>& files) {
    QMetaObject::invokeMethod(
        &window, [&window, files] { window.receive(files); }, Qt::QueuedConnection);
  });
}

/// In Qt points. --size counts pixels; without it, the window fits the screen.
QSize firstSize(const app::Options& options, const app::WindowSession& session, const QWidget& window) {
  const gpu::Extent size = options.sizeOrDefault();
  const QSize wanted(int(size.width), int(size.height));
  if (options.size || session.simulated()) return wanted / window.devicePixelRatioF();
  return wanted.boundedTo(window.screen()->availableSize());
}

struct Start {
  app::Options options;
  std::vector<std::string> files;
  bool newWindow = false;
  bool asks = false;  ///< ask for a file to open, once the window is shown
};

/// Sets the typeface of the pictures (engine/render/font.h), in the desktop's size but not smaller than in the
/// pictures.
void setTypeface() {
  constexpr double kLeast = 9.75;  // points of 1/72 inch: 13 pixels at 96 to the inch
  QFont type = QApplication::font();
  type.setFamilies(
      {QStringLiteral("Open Sans"), QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans CJK SC"), type.family()});
  type.setPointSizeF(std::max(type.pointSizeF(), kLeast));
  QApplication::setFont(type);
}

int runStudio(QApplication& application, const Start& start, std::unique_ptr<gpu::Context> context) {
  const app::Options& options = start.options;
  app::Waker waker;
  app::WindowSession session(options, std::move(context), false, [&waker] { emit waker.woken(); });
  if (const auto opened = openAll(session, start.files); !opened) return report(opened.error());
  app::logMilestone("workbench");
  int status = 0;
  {
    const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    app::MainWindow window(session);
    window.setSystemDark(dark);
    window.follow(options.theme.empty() && !session.simulated(), options.scale <= 0 && !session.simulated());
    QObject::connect(&waker, &app::Waker::woken, &window, &app::MainWindow::wake);
    if (options.size || session.simulated() || !window.recallsLayout()) {
      window.resize(firstSize(options, session, window));
    }
    app::ScriptWindow script(window, session, options);
    QObject::connect(&script, &app::ScriptWindow::finished, &application, &QApplication::quit);
    std::unique_ptr<app::Instance> instance;
    if (!session.simulated()) instance = receiveLater(window);
    app::logMilestone("window built");
    window.show();
    window.viewport().widget()->setFocus();
    if (session.simulated()) script.start();
    // A dialog can be centred only after the window has its position.
    QObject::connect(
        &window.viewport(), &app::Viewport::drawn, &window, [&window] { window.offerRecovery(); },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    if (start.asks) {
      QObject::connect(&window.viewport(), &app::Viewport::drawn, &window, &app::MainWindow::open,
                       static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    }
    std::optional<app::EndSignals> ends;
    if (!session.simulated()) {
      ends.emplace(
          [&window] { QMetaObject::invokeMethod(&window, &app::MainWindow::exitGracefully, Qt::QueuedConnection); });
    }
    QApplication::exec();
    ends.reset();
    instance.reset();  // before the window that it calls
    status = script.status();
  }
  if (const auto clean = session.validationOutcome(); !clean && status == 0) status = report(clean.error());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  setUpLog();
  ignoreFileSizeSignal();
  installOutOfMemoryHandler();
  ui::setUpTranslations();

  Start start;
  app::Options& options = start.options;
  CLI::App cli(ui::tr("Separatrix: the studio"), "separatrix");
  app::addCommonFlags(cli, options);
  cli.add_option(
      "FILE", start.files,
      ui::tr("checkpoints (safetensors, PyTorch, GGUF, ONNX, llama2.c, NumPy; a file or a folder), sessions (.sepx), "
             "lessons (.md), exported figures and pages, tables of points (.csv), a state as text (sepx:1:…)"));
  cli.add_flag("--new-window", start.newWindow, ui::tr("open a new window even if one is open already"));
  cli.add_flag("--open", start.asks, ui::tr("ask for a file to open, in a new window"));
  const auto parsed = app::parseArguments(cli, {argv + 1, argv + argc});
  if (!parsed) return report(parsed.error());
  if (*parsed) {
    fmt::print("{}", **parsed);
    return 0;
  }

  if (!threadsCanStart(app::kWindowThreads)) return report({ErrorKind::Internal, noThread()});
  const app::Display display = app::chooseDisplay();
  if (display == app::Display::None) return runWithoutDisplay(options, start.files);
  const bool scripted = !options.script.empty() || !options.shot.empty();
  if (!scripted && !start.newWindow && !start.asks &&
      app::Instance::sendFiles(app::Instance::defaultSocketPath(), start.files))
    return 0;
  auto context = gpu::Context::create(app::contextOptions(options, display == app::Display::Native));
  if (!context) {
    const int status = report(context.error());
    if (display == app::Display::Native && !scripted) app::showNoDevice(argc, argv, context.error());
    return status;
  }
  app::logMilestone("device");

  if (options.scale > 0) qputenv("QT_SCALE_FACTOR", QByteArray::fromStdString(fmt::format("{}", options.scale)));
  QApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
  QApplication::setStyle(new app::StudioStyle);
  QApplication application(argc, argv);
  setTypeface();
  QApplication::setApplicationName(QStringLiteral("separatrix"));
  QApplication::setApplicationDisplayName(QStringLiteral("Separatrix"));
  QApplication::setDesktopFileName(QStringLiteral("org.separatrix.Separatrix"));
  QIcon icon;
  for (const std::string& path : app::windowIcons())
    icon.addFile(QString::fromStdString(path));
  QApplication::setWindowIcon(icon);
  app::logMilestone("tool kit");
  // QApplication sets the user's locale. Numbers have a decimal point everywhere, and the system's error texts must be
  // English, because they become parts of English sentences.
  std::setlocale(LC_NUMERIC, "C");
  std::setlocale(LC_MESSAGES, "C");
  try {
    return runStudio(application, start, std::move(*context));
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    return report({ErrorKind::Internal, noThread()});
  }
}
