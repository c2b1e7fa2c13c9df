// SPDX-License-Identifier: Apache-2.0
// Drives the studio's real window by a script or for a --shot, in simulated time, and ends the program with the
// outcome. GUI thread.
#pragma once

#include "app/options.h"
#include "app/studio/main_window.h"

#include <QObject>
#include <QTimer>

namespace sepx::app {

class ScriptWindow final : public QObject, public ui::ScriptHost {
  Q_OBJECT

 public:
  ScriptWindow(MainWindow& window, WindowSession& session, const Options& options);

  /// Takes the first step once the window is on the screen. At the end, finished() is emitted.
  void start();
  /// 0, or the exit status of the error, whose message went to standard error.
  int status() const { return status_; }

  gpu::Extent extent() const override { return window_.viewport().extent(); }
  float scale() const override { return window_.viewport().scale(); }
  Result<void> resize(gpu::Extent extent) override { return window_.resizeViewport(extent); }
  Result<void> setScale(float scale) override;
  Result<gpu::Pixels> capture() override { return session_.capture(); }

 signals:
  void finished();

 private:
  void step();
  void shoot();
  void end(const Result<void>& outcome);

  MainWindow& window_;
  WindowSession& session_;
  const Options& options_;
  QTimer timer_;
  bool begun_ = false;
  int patience_ = 0;
  int status_ = 0;
};

}  // namespace sepx::app
