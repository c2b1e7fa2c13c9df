// SPDX-License-Identifier: Apache-2.0
// See script_window.h.
#include "app/studio/script_window.h"

#include <cstring>

#include "engine/core/file.h"
#include "engine/core/terminal_text.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/properties/tr.h"

#include <fmt/core.h>

namespace sepx::app {

namespace {

constexpr int kExposePatienceMs = 20000;  // on a loaded machine a window may take long to appear
constexpr int kSettleFrames = 120 * 60;   // two minutes of simulated time, as in the headless host

gpu::Pixels pixelsOf(const QImage& image) {
  const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888);
  gpu::Pixels pixels;
  pixels.extent = {static_cast<std::uint32_t>(rgba.width()), static_cast<std::uint32_t>(rgba.height())};
  const std::size_t row = std::size_t{4} * pixels.extent.width;
  pixels.rgba.resize(row * pixels.extent.height);
  for (int y = 0; y < rgba.height(); ++y) {
    std::memcpy(pixels.rgba.data() + row * static_cast<std::size_t>(y), rgba.constScanLine(y), row);
  }
  return pixels;
}

/// Whether a script operates controls by their keys. They must then be in the picture instead of the native inspector.
bool usesControls(const std::string& script) {
  const auto text = readFile(script);
  return text && text->find(" ui:") != std::string::npos;
}

}  // namespace

ScriptWindow::ScriptWindow(MainWindow& window, WindowSession& session, const Options& options)
    : window_(window), session_(session), options_(options) {
  connect(&timer_, &QTimer::timeout, this, &ScriptWindow::step);
}

void ScriptWindow::start() {
  window_.setAsking(false);
  if (!options_.script.empty() && usesControls(options_.script)) window_.showPanelInPicture();
  timer_.start(0);
}

Result<void> ScriptWindow::setScale(float scale) {
  window_.viewport().setScale(scale);
  return {};
}

void ScriptWindow::step() {
  if (begun_ && !window_.isVisible())
    return end(fail(ErrorKind::Interrupted, ui::tr("the window was closed before the script ended")));
  if (!begun_) {
    // Before the first exposure there is nothing to draw into.
    if (!session_.attached()) {
      timer_.setInterval(10);
      patience_ += 10;
      if (patience_ > kExposePatienceMs) {
        end(fail(ErrorKind::NoDevice, ui::tr("the window did not appear on the display")));
      }
      return;
    }
    begun_ = true;
    patience_ = 0;
    timer_.setInterval(0);
    if (!options_.script.empty()) {
      if (const auto started = session_.startScript(*this); !started) return end(started);
    }
  }
  if (!window_.hasPicture()) return end(session_.renewDevice());  // the error: the device was lost again
  window_.viewport().setScripted(true);                           // also a new viewport after a lost device
  window_.viewport().drawNow();
  if (session_.scriptRunning()) return;
  if (const auto outcome = session_.scriptOutcome(); !outcome) return end(outcome);
  if (options_.shot.empty()) return end({});
  if (session_.settled()) return shoot();
  if (++patience_ > kSettleFrames) {
    end(fail(ErrorKind::CheckFailed,
             ui::tr("the picture was not complete in time; running jobs: ") + session_.workbench().statusLine()));
  }
}

void ScriptWindow::shoot() {
  const auto picture = pixelsOf(window_.picture());
  end(render::writePng(picture, options_.shot, {{render::kRecipeKey, session_.workbench().recipe()}}));
}

void ScriptWindow::end(const Result<void>& outcome) {
  timer_.stop();
  if (!outcome) {
    fmt::print(stderr, "separatrix: {}\n", printableSentence(outcome.error().message));
    status_ = exitStatus(outcome.error().kind);
  }
  emit finished();
}

}  // namespace sepx::app
