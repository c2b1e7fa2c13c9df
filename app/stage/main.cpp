// SPDX-License-Identifier: Apache-2.0
// Entry point of separatrix-stage: reads the flags, opens the display through GLFW and shows one window.
#include <clocale>
#include <string>
#include <system_error>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "app/data_files.h"
#include "app/headless.h"
#include "app/stage/stage_window.h"
#include "engine/core/file.h"
#include "engine/core/log.h"
#include "engine/core/resource_limits.h"
#include "engine/core/terminal_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/translated_sentence.h"

#include <GLFW/glfw3.h>

namespace {

using namespace sepx;

int report(const Error& error) {
  fmt::print(stderr, "separatrix-stage: {}\n", printableSentence(ui::translatedSentence(error.message)));
  return exitStatus(error.kind);
}

int runWithoutDisplay(const app::StageOptions& stage) {
  const app::Options& options = stage.common;
  if (!options.script.empty()) {
    const auto played = app::playHeadless(options, options.script);
    return played ? 0 : report(played.error());
  }
  if (!options.shot.empty()) {
    const auto rendered = app::renderHeadless(options, stage.file, options.shot);
    return rendered ? 0 : report(rendered.error());
  }
  return report({ErrorKind::NoDevice, ui::tr("no display: start an X server (or XWayland) and set DISPLAY; --shot PNG "
                                             "writes the picture without one, and sepx needs none")});
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  std::setlocale(LC_NUMERIC, "C");
  std::setlocale(LC_MESSAGES, "C");  // system error messages become parts of English sentences
  setUpLog();
  ignoreFileSizeSignal();
  installOutOfMemoryHandler();
  ui::setUpTranslations();

  app::StageOptions stage;
  CLI::App cli(ui::tr("Separatrix: the presenter window"), "separatrix-stage");
  app::addCommonFlags(cli, stage.common);
  cli.add_option("FILE", stage.file,
                 ui::tr("a session (.sepx), a lesson (.md), a checkpoint or a state as text (sepx:1:…)"));
  cli.add_flag("--windowed", stage.windowed, ui::tr("a window instead of the full screen"));
  cli.add_option("--monitor", stage.monitor,
                 ui::tr("which monitor: its number, counted from 0, its name, or its position, +1920+0"))
      ->type_name("N");
  cli.add_option("--follow", stage.follow,
                 ui::tr("show what the studio that listens at this socket shows; the studio sets this itself (F5)"))
      ->type_name("SOCKET");
  const auto parsed = app::parseArguments(cli, {argv + 1, argv + argc});
  if (!parsed) return report(parsed.error());
  if (*parsed) {
    fmt::print("{}", **parsed);
    return 0;
  }

  if (!threadsCanStart(app::kWindowThreads)) return report({ErrorKind::Internal, noThread()});
  const bool scripted = !stage.common.script.empty() || !stage.common.shot.empty();
  if (!stage.follow.empty() && (scripted || !stage.file.empty()))
    return report({ErrorKind::Usage,
                   ui::tr("--follow shows what a studio shows: it cannot be used with FILE, --script or --shot")});
  if (!stage.follow.empty() && stage.common.theme.empty()) stage.common.theme = "projector";
  // The stage saves the session that it was started with, and nothing else.
  const bool session = stage.file.size() > 5 && stage.file.rfind(".sepx") == stage.file.size() - 5;
  if (!session) stage.common.without.emplace_back("file.save");
  if (!glfwInit()) return runWithoutDisplay(stage);
  int status = 0;
  try {
    const auto window = app::StageWindow::create(stage);
    const auto outcome = window ? (*window)->run() : Result<void>(tl::unexpected(window.error()));
    if (!outcome) status = report(outcome.error());
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    status = report({ErrorKind::Internal, noThread()});
  }
  glfwTerminate();
  return status;
}
