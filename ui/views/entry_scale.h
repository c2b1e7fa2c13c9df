// SPDX-License-Identifier: Apache-2.0
// The colour scale beside matrices as a view: colours along a value axis, the histogram of the entries, both ends. A
// drag of an end locks the limits there, a double click takes them from the data again. Frame thread.
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
  std::shared_ptr<const attention::Histogram> histogram{};  ///< null: not yet
  bool locked = false;
  double edge = 0;  ///< page x up to which its numbers may go
  /// A document in which these limits are locked; nothing: they are those of the data.
  std::function<Document(const Document& document, const std::optional<ColorLimits>& limits)> with{};
};

/// Points: width of the bar, and how far from it an end can be taken hold of.
inline constexpr double kScaleBar = 12, kScaleGrip = 6;
/// Where the view of a scale beside `plot` stands. `left`: of its bar.
render::Rect scaleBox(const render::Rect& plot, double left, double edge);

View entryScale(std::string name, const EntryScale& scale);

}  // namespace sepx::ui
