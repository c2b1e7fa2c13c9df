// SPDX-License-Identifier: Apache-2.0
// The document's state of the space page, (e, w, a), as typed values: camera, box, what is shown, clip planes, slice.
// It is read once per revision. The functions with…() return a changed document. No ImGui.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "engine/markov/sections3.h"
#include "engine/markov/surfaces3.h"
#include "ui/canvas/orbit_camera.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

inline constexpr std::array<const char*, 3> kSpaceAxes{"e", "w", "a"};

struct SpaceClip {
  enum class Keep { All, Below, Above } keep = Keep::All;
  double at = 0;
  bool operator==(const SpaceClip&) const = default;
};

struct SpaceShow {
  bool thetaStar = true, axisPlane = true, energy = false, separatrix = true, curves = true, paths = true;
  bool operator==(const SpaceShow&) const = default;
};

/// Where the user placed the legend, as shares of the room that it has on the page.
struct SpaceLegend {
  double x = 0, y = 0;       ///< 0 to 1; 0, 0: the upper left corner
  std::optional<bool> open;  ///< every row, or the title alone; empty: as the room allows
  bool operator==(const SpaceLegend&) const = default;
};

struct SpaceState {
  OrbitCamera camera;
  markov::Box3 box;
  SpaceShow show;
  double opacity = 0.3;
  std::array<SpaceClip, 3> clip;
  bool slice = true;
  markov::SectionPlane section;
  bool basins = true;      ///< the section is shaded by basin, else by the loss
  bool integrate = false;  ///< the section's basins are computed by integration
  double speed = 1;
  SpaceLegend legend;
  bool operator==(const SpaceState&) const = default;
};

/// The camera of a document that does not set one.
OrbitCamera homeCamera();
SpaceState readSpaceState(const Document& document, const PropertyRegistry& registry);

/// "flow.space.box.e.low"
std::string boxKey(std::size_t axis, bool low);
/// Not undoable, for Editor::replace.
Document withCamera(const Document& document, const OrbitCamera& camera);
Document withoutCamera(const Document& document);
Document withBox(const Document& document, const markov::Box3& box);
Document withSlice(const Document& document, int axis, double at);
Document withClip(const Document& document, std::size_t axis, double at);
/// Not undoable, for Editor::replace.
Document withSpaceLegendAt(const Document& document, double x, double y);
Document withSpaceLegendOpen(const Document& document, bool open);

}  // namespace sepx::ui
