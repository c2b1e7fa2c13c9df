// SPDX-License-Identifier: Apache-2.0
// Parses the flags of every binary with CLI11. Numbers go through engine/core/number, so that "1.5" means the same in
// every locale.
#include "app/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/data_files.h"
#include "app/option_table.h"
#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/core/xdg.h"
#include "ui/document/script.h"
#include "ui/properties/tr.h"

namespace sepx::app {
namespace {

constexpr std::uint32_t kMaxSide = 65535;  // a device has a lower limit, which is checked when the target is created

template <class Integer>
std::optional<Integer> parseInteger(std::string_view text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string wrong(const std::string& flag, const std::string& text, const std::string& wanted) {
  return flag + ": \"" + text + "\" " + ui::tr(std::string(N_("is not"))) + " " + wanted;
}

std::string scaleWords(double most) {
  return ui::tr("a number from 0.5 to ") + formatShortest(most);
}

void addNumberFlags(CLI::App& app, Options& options, double mostScale) {
  app.add_option_function<std::string>(
         "--scale",
         [&options, mostScale](const std::string& text) {
           const auto value = parseNumber(text);
           if (!value || !(*value >= ui::kLeastScale && *value <= mostScale)) {
             throw CLI::ValidationError(wrong("--scale", text, scaleWords(mostScale)));
           }
           options.scale = static_cast<float>(*value);
         },
         ui::tr("pixels per point"))
      ->type_name("X");
  app.add_option_function<std::string>(
         "--threads",
         [&options](const std::string& text) {
           const auto value = parseInteger<int>(text);
           if (!value || *value < 0 || *value > 1024) {
             throw CLI::ValidationError(wrong("--threads", text, ui::tr("a whole number from 0 to 1024")));
           }
           options.threads = *value;
         },
         ui::tr("worker threads; 0: one per core"))
      ->type_name("N");
  app.add_option_function<std::string>(
         "--seed",
         [&options](const std::string& text) {
           const auto value = parseInteger<std::uint64_t>(text);
           if (!value) throw CLI::ValidationError(wrong("--seed", text, ui::tr("a whole number from 0 to 2^64 - 1")));
           options.seed = *value;
         },
         ui::tr("seed of all random numbers (default 0)"))
      ->type_name("N");
}

void addWordFlags(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--theme",
         [&options](const std::string& text) {
           const auto keys = ui::themeKeys();
           if (std::find(keys.begin(), keys.end(), text) == keys.end()) {
             std::string known;
             for (const auto& key : keys)
               known += (known.empty() ? "" : ", ") + key;
             throw CLI::ValidationError(wrong("--theme", text, ui::tr("one of: ") + known));
           }
           options.theme = text;
         },
         ui::tr("colours of the interface"))
      ->type_name(fmt::format("{}", fmt::join(ui::themeKeys(), "|")));
  app.add_option_function<std::string>(
         "--compute",
         [&options](const std::string& text) {
           if (text == "auto") {
             options.compute = ui::Compute::Auto;
           } else if (text == "cpu") {
             options.compute = ui::Compute::Cpu;
           } else if (text == "gpu") {
             options.compute = ui::Compute::Gpu;
           } else {
             throw CLI::ValidationError(wrong("--compute", text, "auto, cpu, gpu"));
           }
         },
         ui::tr("where to compute; auto picks the faster for the interactive picture"))
      ->type_name("auto|cpu|gpu");
}

}  // namespace

Result<gpu::Extent> parseSize(const std::string& text) {
  const auto cross = text.find('x');
  const std::string_view view = text;
  if (cross != std::string::npos) {
    const auto width = parseInteger<std::uint32_t>(view.substr(0, cross));
    const auto height = parseInteger<std::uint32_t>(view.substr(cross + 1));
    if (width && height && *width >= 1 && *height >= 1 && *width <= kMaxSide && *height <= kMaxSide) {
      return gpu::Extent{*width, *height};
    }
  }
  return fail(ErrorKind::Usage, wrong("--size", text, ui::tr("two whole numbers from 1 to 65535 such as 1280x720")));
}

void addCommonFlags(CLI::App& app, Options& options, double mostScale) {
  app.add_option_function<std::string>(
         "--size",
         [&options](const std::string& text) {
           const auto size = parseSize(text);
           if (!size) throw CLI::ValidationError(size.error().message);
           options.size = *size;
         },
         ui::tr("size of the picture in pixels"))
      ->type_name("WxH");
  addNumberFlags(app, options, mostScale);
  addWordFlags(app, options);
  app.add_option("--script", options.script, ui::tr("run this script, then exit with its result"))->type_name("FILE");
  app.add_option("--shot", options.shot, ui::tr("write the complete picture to this PNG file, then exit"))
      ->type_name("PNG");
  app.add_option("--out-dir", options.outDir, ui::tr("folder in which scripts write their files"))->type_name("DIR");
  app.add_option("--device", options.device, ui::tr("Vulkan device: a part of its name, or its index"))
      ->type_name("NAME");
  app.set_version_flag("--version", version(), ui::tr("print the version and exit"));
}

Result<std::optional<std::string>> parseArguments(CLI::App& app, std::vector<std::string> arguments) {
  if (arguments.size() >= 2 && arguments[arguments.size() - 2] == "--print-page") {
    SEPX_ASSIGN(std::string page, printedPage(app, {arguments.begin(), arguments.end() - 2}, arguments.back()));
    return page;
  }
  std::reverse(arguments.begin(), arguments.end());  // CLI11 reads its vector from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::CallForAllHelp&) {
    return app.help("", CLI::AppFormatMode::All);
  } catch (const CLI::CallForVersion& call) {
    return std::string(call.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    std::string sentence = error.what();
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    return fail(ErrorKind::Usage, sentence);
  }
  return std::nullopt;
}

std::string versionNumber() {
  return SEPX_VERSION;
}
std::string version() {
  return "separatrix " + versionNumber();
}
std::string buildType() {
  return SEPX_BUILD_TYPE;
}

gpu::ContextOptions contextOptions(const Options& options, bool presentation) {
  gpu::ContextOptions result;
  result.device = options.device;
  result.presentation = presentation;
  return result;
}

ui::WorkbenchOptions workbenchOptions(const Options& options, bool scripted) {
  ui::WorkbenchOptions result;
  result.compute = options.compute;
  result.scripted = scripted;
  result.seed = options.seed;
  result.threads = options.threads;
  result.version = versionNumber();
  if (scripted && !options.outDir.empty()) result.runsFolder = options.outDir + "/runs";
  result.without = options.without;
  result.assets = assetsFolder();
  result.rules = configFolder() + "/rules";
  if (!options.theme.empty()) result.theme = options.theme;
  return result;
}

}  // namespace sepx::app
