// SPDX-License-Identifier: Apache-2.0
// Paths over the plane that may lie on each other, and names beside them, each where it meets no other name and no
// handle. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::ui {

struct NamedPath {
  std::vector<render::Point> places;  ///< data; not empty
  std::string text;
  render::Color color;
  std::optional<std::size_t> at;  ///< where the name belongs first of all
};

/// Why a start has no basin (p + q = 1, the separatrix, e = 0), or no energy (w = 0); empty for any other.
std::string startWords(const markov::Chain& chain, double e, double w);

/// Names in the order given, beside the first of some places along each path that is free; beside its best place where
/// none is. `start`: the handle that must stay readable, data.
void addNames(std::vector<render::Item>& items, const FlowFrame& plane, render::Point start,
              const std::vector<NamedPath>& paths);

/// addLine(), or the line alone: it lies on another one that must be seen under it.
void addPath(std::vector<render::Item>& items, const std::vector<render::Point>& places, const render::Stroke& stroke,
             const FlowFrame& plane, bool casing);

}  // namespace sepx::ui
