// SPDX-License-Identifier: Apache-2.0
// Imported trajectories, drawn over the theory: the document's section `overlays`, apart from the points, so that
// an edit of these copies none of it and it is read once a change. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/document/document.h"

namespace sepx::ui {

struct Trajectory {
  std::string name;
  std::string field;                  ///< key of the field it lies over
  std::vector<render::Point> points;  ///< a NaN coordinate breaks the line
  std::vector<double> time;           ///< empty: none was given
  bool operator==(const Trajectory&) const = default;
};

using Trajectories = std::shared_ptr<const std::vector<Trajectory>>;

inline constexpr const char* kOverlaySection = "overlays";

/// Never null; what is not a trajectory is left out.
Trajectories readTrajectories(const Document& document);
/// A document with these after those it has.
Document withTrajectories(const Document& document, const std::vector<Trajectory>& trajectories);
Document withoutTrajectories(const Document& document);

}  // namespace sepx::ui
