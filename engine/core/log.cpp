// SPDX-License-Identifier: Apache-2.0
// The log of the process: standard error, level from SEPX_LOG (trace, debug, info, warn, error, critical, off). Called
// once.
#include "engine/core/log.h"

#include <cstdlib>
#include <memory>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "engine/core/terminal_text.h"

namespace sepx {

namespace {

/// Formats the message through printable(), because it may quote names and content of files.
class TextForTerminal final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    to.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<TextForTerminal>(); }
};

}  // namespace

void setUpLog() {
  auto logger = std::make_shared<spdlog::logger>("sepx", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<TextForTerminal>('*').set_pattern("%H:%M:%S.%e %^%l%$ %*");
  logger->set_formatter(std::move(formatter));
  const char* wanted = std::getenv("SEPX_LOG");
  const auto level = wanted ? spdlog::level::from_str(wanted) : spdlog::level::warn;
  // from_str returns "off" for an unknown word, but logging is turned off only on request.
  const bool unknown = wanted && level == spdlog::level::off && std::string_view(wanted) != "off";
  logger->set_level(unknown ? spdlog::level::warn : level);
  spdlog::set_default_logger(std::move(logger));
  if (unknown) spdlog::warn("SEPX_LOG={} is not a level; trace, debug, info, warn, error, critical, off are", wanted);
}

}  // namespace sepx
