// SPDX-License-Identifier: Apache-2.0
// The host without a window: a device, an offscreen target and a Workbench in simulated time (one frame is 1/60 s). It
// draws into an image what the studio and the stage draw on a screen, with the same calls. Main thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/options.h"
#include "engine/core/result.h"
#include "engine/gpu/frame_target.h"
#include "ui/workbench/script_runner.h"
#include "ui/workbench/workbench.h"

namespace sepx::app {

/// Which frames of a host without a window are drawn: only captured frames, or all, for measurements. Under the
/// validation layers, every eighth frame is drawn in any case.
enum class Drawing { WhenCaptured, EveryFrame };
/// Which window the host represents; a stage shows what follow() gives it.
enum class Window { Studio, Stage };

class Headless final : public ui::ScriptHost {
 public:
  /// NoDevice, with a hint what to install, when there is no usable Vulkan device.
  static Result<std::unique_ptr<Headless>> create(const Options& options, Drawing drawing = Drawing::WhenCaptured,
                                                  Window window = Window::Studio);
  ~Headless() override;

  ui::Workbench& workbench();
  gpu::Context& context();

  /// Replaces the workbench by an empty one, because pages keep the results of a state that was open before.
  void resetWorkbench();
  /// One frame 1/60 s after the last one, with these events.
  Result<void> frame(std::vector<ui::InputEvent> events = {});
  /// Runs frames until the workbench is settled; CheckFailed when it is not after `seconds` of simulated time.
  /// `afterFrame` may stop this with an error.
  Result<void> settle(double seconds = 120, const std::function<Result<void>()>& afterFrame = {});
  /// Runs a script or a lesson to its end. `afterFrame` may stop it with an error.
  Result<void> play(ui::ScriptRunner& runner, const std::function<Result<void>()>& afterFrame = {});
  /// Internal with the first validation message, if there was one.
  Result<void> validated() const;

  gpu::Extent extent() const override;
  float scale() const override;
  Result<void> resize(gpu::Extent extent) override;
  Result<void> setScale(float scale) override;
  Result<gpu::Pixels> capture() override;
  bool simulated() const override { return true; }

 private:
  Headless();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// `sepx play`: runs a script, or every step of a lesson (.md), and writes --shot at the end when it is given.
Result<ui::Played> playHeadless(const Options& options, const std::string& path);

/// Options of `sepx render` beyond the flags of every binary. An option that is not given follows the recipe of a
/// figure, else the preset.
struct FigureOptions {
  std::string preset;  ///< key of ui::figurePresets(); empty: --size
  std::optional<double> textSize, seconds, framesPerSecond;
  std::optional<int> pane;
  std::optional<bool> legend, caption;
  std::string title;
  std::vector<std::string> views;  ///< ui::FigureRequest::views
  bool whole = false;              ///< charts as a whole, not the part stored in a recipe
  std::string slider;              ///< of a page, as ui::parseSweep() reads it; empty: none
};

/// `sepx render`: opens a session, lesson or figure and writes the figure in the format given by the file name
/// extension (ui/workbench/figure.h). --size is in pixels for raster formats, else in points. A device is needed for
/// raster formats and --compute gpu only.
Result<void> figureHeadless(const Options& options, const FigureOptions& requestedOptions, const std::string& file,
                            const std::string& out);

/// `sepx state`: opens a file (a session, lesson, figure, page, or a line "sepx:1:…") and returns its state as such a
/// line, or writes it as a session.
Result<std::string> stateHeadless(const Options& options, const std::string& file);
Result<void> sessionHeadless(const Options& options, const std::string& file, const std::string& out);

/// --shot without a display: opens `file` and writes the whole interface as a PNG. `file` empty: the start page.
Result<void> renderHeadless(const Options& options, const std::string& file, const std::string& out);

/// For hosts: creates a runner on an open workbench for the script or lesson at `path`. `outDir`: value of --out-dir;
/// empty: a script writes into the current folder, a lesson writes nothing.
Result<std::unique_ptr<ui::ScriptRunner>> makeRunner(const std::string& path, ui::Workbench& workbench,
                                                     ui::ScriptHost& host, const std::string& outDir);

}  // namespace sepx::app
