// SPDX-License-Identifier: Apache-2.0
// The log of the process: standard error, level from SEPX_LOG (trace, debug, info, warn, error, critical, off). Called
// once.
#include "engine/core/log.h"

#include <cstdlib>
#include <memory>

#include <spdlog/sinks/stdout_color_sinks.h>

namespace sepx {

void setUpLog() {
  auto logger = std::make_shared<spdlog::logger>("sepx", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern("%H:%M:%S.%e %^%l%$ %v");
  const char* wanted = std::getenv("SEPX_LOG");
  const auto level = wanted ? spdlog::level::from_str(wanted) : spdlog::level::warn;
  // from_str answers "off" for a word it does not know; silence must have been asked for.
  const bool unknown = wanted && level == spdlog::level::off && std::string_view(wanted) != "off";
  logger->set_level(unknown ? spdlog::level::warn : level);
  spdlog::set_default_logger(std::move(logger));
  if (unknown) spdlog::warn("SEPX_LOG={} is not a level; trace, debug, info, warn, error, critical, off are", wanted);
}

}  // namespace sepx
