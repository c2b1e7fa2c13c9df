// SPDX-License-Identifier: Apache-2.0
// Imported trajectories, drawn over the theory. They are the document's section `overlays`, separate from the points:
// an edit of the points does not copy them, and they are read only when they change. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/document/document.h"

namespace sepx::ui {

struct Trajectory {
  std::string name;
  std::string field;                  ///< key of the field that it belongs to
  std::vector<render::Point> points;  ///< a NaN coordinate interrupts the line
  std::vector<double> time;           ///< empty: none was given
  bool operator==(const Trajectory&) const = default;
};

using Trajectories = std::shared_ptr<const std::vector<Trajectory>>;

inline constexpr const char* kOverlaySection = "overlays";

/// Never null; entries that are not trajectories are left out.
Trajectories readTrajectories(const Document& document);
/// The document with these trajectories appended to those that it has.
Document withTrajectories(const Document& document, const std::vector<Trajectory>& trajectories);
Document withoutTrajectories(const Document& document);

}  // namespace sepx::ui
