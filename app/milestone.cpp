// SPDX-License-Identifier: Apache-2.0
#include "app/milestone.h"

#include <unistd.h>

#include <cstdlib>
#include <locale>
#include <sstream>
#include <string>

#include "engine/core/file.h"
#include "engine/core/log.h"

namespace sepx::app {

namespace {

/// Milliseconds since the kernel started this process: the time that the user waits, including dynamic linking.
double millisecondsSinceProcessStart() {
  constexpr std::size_t kHead = 4096;
  const std::string line = readHead("/proc/self/stat", kHead).value_or(std::string());
  std::istringstream uptime(readHead("/proc/uptime", kHead).value_or(std::string()));
  // The fields follow the command's name in parentheses, which may contain blanks; field 22 is the start time in clock
  // ticks since boot.
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i)
    fields >> field;
  double up = 0;
  uptime.imbue(std::locale::classic());
  uptime >> up;
  const double start = std::strtod(field.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return (up - start) * 1000;
}

}  // namespace

void logMilestone(const char* name) {
  if (!spdlog::should_log(spdlog::level::info)) return;
  spdlog::info("start: {} after {:.1f} ms", name, millisecondsSinceProcessStart());
}

}  // namespace sepx::app
