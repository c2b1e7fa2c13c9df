// SPDX-License-Identifier: Apache-2.0
// Writes a figure that has been drawn to the requested file. It owns copies of all data that it needs, so that a job
// can use it.
#pragma once

#include <string>
#include <vector>

#include "engine/gpu/offscreen_target.h"
#include "engine/render/scene.h"
#include "engine/render/svg_writer.h"
#include "ui/page/exhibit.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/web_page.h"

namespace sepx::ui {

struct FigureDelivery {
  FigureFormat format = FigureFormat::Png;
  FigureRequest request;
  std::string recipe, title;
  std::vector<render::Scene> scenes;  ///< at `origins`
  std::vector<render::Point> origins;
  render::SvgPage page;
  gpu::Pixels pixels;
  Numbers numbers;
  std::string table;  ///< name of the table for a CSV file; empty: the first
  WebPage web;

  /// Writes the file and returns an empty Clip. For the clipboard, returns the picture instead.
  Result<Clip> write() const;

 private:
  std::string svg() const;
  std::string png() const;
  Result<Clip> toFile(const std::string& bytes) const;
  Result<Clip> writeCsv() const;
};

}  // namespace sepx::ui
