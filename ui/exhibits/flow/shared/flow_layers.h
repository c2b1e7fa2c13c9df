// SPDX-License-Identifier: Apache-2.0
// The layers of the plane as items of a picture, and the colours and glyphs that they use. Pure functions of a frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/markov/critical_sets.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

// The layers, bottom to top; a layer without items is left out of the scene.
std::vector<render::Item> lossItems(const FlowFrame& frame);
std::vector<render::Item> basinItems(const FlowFrame& frame);
std::vector<render::Item> disagreementItems(const FlowFrame& frame);
std::vector<render::Item> arrowItems(const FlowFrame& frame);
std::vector<render::Item> criticalItems(const FlowFrame& frame);
std::vector<render::Item> separatrixItems(const FlowFrame& frame);
std::vector<render::Item> cloudItems(const FlowFrame& frame);
std::vector<render::Item> pathItems(const FlowFrame& frame);
std::vector<render::Item> limitItems(const FlowFrame& frame);
std::vector<render::Item> headItems(const FlowFrame& frame);
std::vector<render::Item> handleItems(const FlowFrame& frame);

/// Colour (translucent) and hatch of each label of a basin map: first the kinds of limits, then the attractors.
std::vector<render::Color> basinPalette(const Theme& theme);
std::vector<std::uint8_t> basinHatch();
/// The labels of the pixels of a window as an item; `labels` has one per pixel.
render::LabelMap labelMapOf(const dynamics::BasinWindow& window,
                            std::shared_ptr<const std::vector<std::uint8_t>> labels, std::vector<render::Color> palette,
                            std::vector<std::uint8_t> hatch);
/// The exact critical sets of the canonical plane inside the window, at the resolution at which they are drawn.
markov::CriticalSets criticalSetsOf(const FlowState& state);
std::vector<render::Point> asPoints(const std::vector<markov::PlanePoint>& points);
/// The colour that the user has chosen for the point; empty if there is none.
std::optional<render::Color> ownColor(const FlowPoint& point);

/// Colour and glyph of a kind of limit. A kind is never shown by colour alone.
render::Color kindColor(const Theme& theme, markov::LimitKind kind);
render::Shape kindShape(markov::LimitKind kind);

}  // namespace sepx::ui
