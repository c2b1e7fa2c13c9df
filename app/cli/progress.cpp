// SPDX-License-Identifier: Apache-2.0
// A progress bar on standard error; see progress.h.
#include "app/cli/progress.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"

namespace sepx::app::cli {

Progress::Progress(Console& console, std::string name) : console_(console), name_(excerpt(name, 200)) {}

Progress::~Progress() {
  if (percent_ >= 0) console_.err << "\r\033[K" << std::flush;
}

void Progress::at(double share) {
  if (!console_.terminal) return;
  const std::lock_guard lock(mutex_);
  const int percent = static_cast<int>(100 * std::clamp(share, 0.0, 1.0));
  if (percent <= percent_) return;
  percent_ = percent;
  constexpr int kCells = 40;
  const int full = percent * kCells / 100;
  console_.err << fmt::format("\r{} [{:=<{}}{:<{}}] {:>3} %", name_, "", full, "", kCells - full, percent)
               << std::flush;
}

}  // namespace sepx::app::cli
