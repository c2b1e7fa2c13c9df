// SPDX-License-Identifier: Apache-2.0
// A figure that has been drawn, as the file that is asked for. It has copies of all it needs, for a job.
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
  std::string table;  ///< of a CSV file
  WebPage web;

  /// Into its file; the clipboard's answer is what was made.
  Result<Clip> write() const;

 private:
  std::string svg() const;
  std::string png() const;
  Result<Clip> toFile(const std::string& bytes) const;
  Result<Clip> writeCsv() const;
};

}  // namespace sepx::ui
