// SPDX-License-Identifier: Apache-2.0
// What the document says about the space of (e, w, a), as typed values: camera, box, what is shown, clip planes, slice.
// Read once a revision; documents with a change of it. No ImGui.
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

/// Where a person wants the legend: at a share of the room that it has on the page.
struct SpaceLegend {
  double x = 0, y = 0;       ///< 0 to 1; 0, 0: the upper left corner
  std::optional<bool> open;  ///< every row, or the title alone; nothing: as the room allows
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
  bool integrate = false;  ///< its basins by integration
  double speed = 1;
  SpaceLegend legend;
  bool operator==(const SpaceState&) const = default;
};

/// The camera of a document that does not say.
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
