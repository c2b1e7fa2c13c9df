// SPDX-License-Identifier: Apache-2.0
// The parts of a workbench without a device and without frames.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ui/workbench/files.h"

namespace sepx::test {

/// Whether the calling thread has this name.
inline bool isThread(std::string_view called) {
  std::array<char, 16> name{};
  ::pthread_getname_np(::pthread_self(), name.data(), name.size());
  return std::string_view(name.data()) == called;
}

/// Blocks other threads, but at most 60 seconds: a test in which a frame waits for them fails.
struct Hold {
  std::atomic<bool> on{false};
  void wait() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (on) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (std::chrono::steady_clock::now() > until) on = false;
    }
  }
};

inline ui::WorkbenchOptions partOptions() {
  ui::WorkbenchOptions options;
  options.scripted = true;
  options.threads = 1;
  return options;
}

struct Parts {
  ui::WindowState window;
  ThreadPool pool{1};
  Jobs jobs;
  ui::Workbench lessons{partOptions()};  ///< the workbench on which lessons act
  ui::LessonPlayer lesson{lessons, window, [] { return true; }};
  ui::Panes panes{window, jobs, pool, [](ui::PropertyRegistry&) {}};
  ui::Files files{window, panes, lesson, jobs};

  explicit Parts(ui::WorkbenchOptions options = partOptions()) : window{.options = std::move(options)} {
    window.theme = ui::findTheme("dark");
  }

  /// Arranges the panes in a picture of this size.
  void arrange(double width = 400, double height = 300) {
    window.size = {width, height};
    window.layout.picture = {{0, 0}, {width, height}};
    panes.arrange(false);
  }
  const ui::Document& document() const { return window.history.present(); }
  Result<void> run(std::string_view command) {
    ui::Commands commands;
    panes.addCommands(commands);
    files.addCommands(commands);
    const auto act = commands.find(command);
    return act ? (*act)() : Result<void>(tl::unexpected(act.error()));
  }
};

}  // namespace sepx::test
