// SPDX-License-Identifier: Apache-2.0
// The flags that every binary understands (docs: "Binaries"), read once in main(). A host adds its own flags to the
// same CLI::App. Numbers are read with a decimal point in every locale. Main thread; no window, no Vulkan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/gpu/context.h"
#include "engine/gpu/frame_target.h"
#include "ui/document/script.h"
#include "ui/page/exhibit_context.h"
#include "ui/workbench/workbench.h"

namespace CLI {
class App;
}

namespace sepx::app {

/// Minimum number of threads that the GUI toolkit and the driver of a window start. If the system allows fewer, they
/// wait forever.
inline constexpr int kWindowThreads = 8;

struct Options {
  std::optional<gpu::Extent> size;  ///< --size WxH, pixels; absent: the host's own choice
  float scale = 0;                  ///< --scale, pixels per point; 0: the host's own choice (headless: 1)
  std::string theme;                ///< --theme; empty: the host's own choice (headless: dark)
  std::string script;               ///< --script S: run it, then exit with its outcome
  std::string shot;                 ///< --shot PNG: write the settled picture, then exit
  std::string
      outDir;  ///< --out-dir: where scripts write; empty: scripts write into the current folder, lessons nothing
  ui::Compute compute = ui::Compute::Auto;
  std::string device;  ///< name (part of it) or index
  int threads = 0;     ///< 0: all cores
  std::uint64_t seed = 0;
  std::vector<std::string> without;  ///< commands that this start does not offer; not a flag

  static constexpr gpu::Extent kDefaultSize{1280, 720};
  gpu::Extent sizeOrDefault() const { return size.value_or(kDefaultSize); }
  float scaleOrDefault() const { return scale > 0 ? scale : 1.0f; }
};

/// Adds --size --scale --theme --script --shot --out-dir --compute --device --threads --seed, --help and --version.
/// `options` must outlive the parse.
/// `mostScale`: largest --scale; a figure may have a larger one than a window.
void addCommonFlags(CLI::App& app, Options& options, double mostScale = ui::kMostScale);
inline constexpr double kMostFigureScale = 20;

/// Parses the arguments (without the program's name) with CLI11. If a text is returned, print it on standard output and
/// exit 0 (--help, --version, and --print-page KIND as the last arguments: a manual page or completion,
/// option_table.h). Usage with one sentence when an argument is wrong.
Result<std::optional<std::string>> parseArguments(CLI::App& app, std::vector<std::string> arguments);

/// Parses "1280x720"; Usage with a sentence when the text is not two whole numbers from 1 to 65535.
Result<gpu::Extent> parseSize(const std::string& text);

/// "separatrix 0.1.0".
std::string version();
std::string versionNumber();
std::string buildType();

/// Options of a device and of the interface according to these flags. `scripted`: for a script or a shot, which run in
/// simulated time and compute in double precision on the CPU.
gpu::ContextOptions contextOptions(const Options& options, bool presentation);
ui::WorkbenchOptions workbenchOptions(const Options& options, bool scripted);

}  // namespace sepx::app
