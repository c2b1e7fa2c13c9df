// SPDX-License-Identifier: Apache-2.0
// The host without a window: a device, an offscreen target and a Workbench in simulated time (one frame is 1/60 s).
// What the studio and the stage do on a screen happens here in an image, by the same calls. Main thread only.
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

/// Which frames of a host without a window are drawn: those that are captured, or all, for measurements. Under the
/// validation layers every eighth is in any case.
enum class Drawing { WhenCaptured, EveryFrame };
/// Which window it stands for; a stage shows what follow() gives it.
enum class Window { Studio, Stage };

class Headless final : public ui::ScriptHost {
 public:
  /// NoDevice with what to install when there is no usable Vulkan device.
  static Result<std::unique_ptr<Headless>> create(const Options& options, Drawing drawing = Drawing::WhenCaptured,
                                                  Window window = Window::Studio);
  ~Headless() override;

  ui::Workbench& workbench();
  gpu::Context& context();

  /// An empty workbench in place of the one that is there: pages keep what they computed in a state that was open
  /// before.
  void startAnew();
  /// One frame 1/60 s after the last one, with these events.
  Result<void> frame(std::vector<ui::InputEvent> events = {});
  /// Frames until the workbench is settled; CheckFailed when it is not after `seconds` of simulated time. `afterFrame`
  /// may end it with an error.
  Result<void> settle(double seconds = 120, const std::function<Result<void>()>& afterFrame = {});
  /// Runs a script or a lesson to its end. `afterFrame` may end it with an error.
  Result<void> play(ui::ScriptRunner& runner, const std::function<Result<void>()>& afterFrame = {});
  /// Nothing, or Internal with the first validation message.
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

/// What `sepx render` may be asked beyond the flags of every binary; what is not said follows the recipe of a figure,
/// else the preset.
struct FigureWishes {
  std::string preset;  ///< key of ui::figurePresets(); empty: --size
  std::optional<double> textSize, seconds, framesPerSecond;
  std::optional<int> pane;
  std::optional<bool> legend, caption;
  std::string title;
  std::vector<std::string> views;  ///< ui::FigureRequest::views
  bool whole = false;              ///< charts without the part that a recipe keeps
  std::string slider;              ///< of a page, as ui::parseSweep() reads it; empty: none
};

/// `sepx render`: opens a session, lesson or figure, and writes the figure by the name's ending
/// (ui/workbench/figure.h). --size is in pixels for what has pixels, else in points. A device is needed for pixels
/// only.
Result<void> figureHeadless(const Options& options, const FigureWishes& wishes, const std::string& file,
                            const std::string& out);

/// `sepx state`: what is opened (a session, lesson, figure, page, or a line "sepx:1:…") as such a line, and as a
/// session.
Result<std::string> stateHeadless(const Options& options, const std::string& file);
Result<void> sessionHeadless(const Options& options, const std::string& file, const std::string& out);

/// --shot without a display: the same, but the whole interface, as a PNG. `file` empty: the start page.
Result<void> renderHeadless(const Options& options, const std::string& file, const std::string& out);

/// For hosts: the script or lesson at `path` as a runner on an open workbench. `outDir`: of --out-dir; empty: a script
/// writes into the current folder, a lesson writes nothing.
Result<std::unique_ptr<ui::ScriptRunner>> makeRunner(const std::string& path, ui::Workbench& workbench,
                                                     ui::ScriptHost& host, const std::string& outDir);

}  // namespace sepx::app
