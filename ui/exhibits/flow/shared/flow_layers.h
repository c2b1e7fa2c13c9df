// SPDX-License-Identifier: Apache-2.0
// The layers of the plane as items of a picture, colours and glyphs of what they show. Pure functions of a frame.
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

/// Colour (translucent) and hatch of each label of a basin map: kinds of limits, then one attractor after the other.
std::vector<render::Color> basinPalette(const Theme& theme);
std::vector<std::uint8_t> basinHatch();
/// The labels of a window's pixels as an item; `labels` has one for each.
render::LabelMap labelMapOf(const dynamics::BasinWindow& window,
                            std::shared_ptr<const std::vector<std::uint8_t>> labels, std::vector<render::Color> palette,
                            std::vector<std::uint8_t> hatch);
/// Exact sets of the canonical plane inside the window, as fine as they are drawn.
markov::CriticalSets criticalSetsOf(const FlowState& state);
std::vector<render::Point> asPoints(const std::vector<markov::PlanePoint>& points);
/// That a person chose for the point.
std::optional<render::Color> ownColor(const FlowPoint& point);

/// Colour and glyph of a kind of limit; the colour never stands alone.
render::Color kindColor(const Theme& theme, markov::LimitKind kind);
render::Shape kindShape(markov::LimitKind kind);

}  // namespace sepx::ui
