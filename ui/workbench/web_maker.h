// SPDX-License-Identifier: Apache-2.0
// Collects the pictures of an HTML page from a figure's workbench: one, or one for each value of the parameter on the
// slider. Frame thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/figure_page.h"
#include "ui/workbench/web_page.h"

namespace sepx::ui {

/// The language of the interface as an HTML language tag: "zh-CN".
std::string pageLanguage();

class WebPictures {
 public:
  /// `prefix`: prepended to the ids of its pictures.
  WebPictures(FigureRequest request, std::string prefix) : request_(std::move(request)), prefix_(std::move(prefix)) {}

  /// Sets the first value. Usage where there is no such parameter, or it refuses a value.
  Result<void> begin(Workbench& figure);
  /// Adds the picture, which has come to rest. True: the next value was set, and its picture is still to come.
  Result<bool> add(Workbench& figure, const std::vector<render::PlacedScene>& placed, const FigurePage& page,
                   const Theme& theme, const std::string& title);
  double share() const;
  WebSection take() { return std::move(section_); }

 private:
  Result<void> set(Workbench& figure);

  FigureRequest request_;
  std::string prefix_, key_;  ///< key_: in the figure's workbench, which may have only one pane of the window
  std::vector<double> values_;
  WebSection section_;
};

}  // namespace sepx::ui
