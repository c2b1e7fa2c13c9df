// SPDX-License-Identifier: Apache-2.0
// A view of the colour scale beside matrices: colours along a value axis, the histogram of the entries, and both ends.
// Dragging an end locks the limits there; a double click takes them from the data again. Frame thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ui/views/matrix_view.h"
#include "ui/views/view.h"

namespace sepx::ui {

struct EntryScale {
  MatrixScale scale;
  bool roomForHistogram = false;
  std::shared_ptr<const attention::Histogram> histogram{};  ///< null: not yet computed
  bool locked = false;
  double edge = 0;  ///< page x that its numbers may not exceed
  /// The document with these limits locked; empty optional: they follow the data.
  std::function<Document(const Document& document, const std::optional<ColorLimits>& limits)> with{};
};

/// Points: width of the bar, and the distance from which an end can be grabbed.
inline constexpr double kScaleBar = 12, kScaleGrip = 6;
/// The box of a scale beside `plot`. `left`: left edge of its bar.
render::Rect scaleBox(const render::Rect& plot, double left, double edge);

View entryScale(std::string name, const EntryScale& scale);

}  // namespace sepx::ui
