// SPDX-License-Identifier: Apache-2.0
// Reads and writes the keys flow.space.*. Pure.
#include "ui/exhibits/flow/space/space_state.h"

#include <algorithm>

namespace sepx::ui {

namespace {

std::string clipKey(std::size_t axis, const char* member) {
  return std::string("flow.space.clip.") + kSpaceAxes[axis] + "." + member;
}

std::string targetKey(std::size_t axis) {
  return std::string("flow.space.target.") + kSpaceAxes[axis];
}

}  // namespace

OrbitCamera homeCamera() {
  return {-32, 20, 5.5, {0, 0, 0}, true};
}

std::string boxKey(std::size_t axis, bool low) {
  return std::string("flow.space.box.") + kSpaceAxes[axis] + (low ? ".low" : ".high");
}

SpaceState readSpaceState(const Document& document, const PropertyRegistry& registry) {
  SpaceState state;
  registry.read(document, state);
  // In a file the lower end may lie above the upper end.
  for (std::size_t i = 0; i < 3; ++i)
    if (!(state.box.low[i] < state.box.high[i])) state.box.low[i] = -2, state.box.high[i] = 2;
  state.camera = bounded(state.camera, homeCamera());
  const std::size_t across = state.section.across();
  state.section.at = std::clamp(state.section.at, state.box.low[across], state.box.high[across]);
  state.speed = registry.real(document, "flow.play.speed");
  return state;
}

Document withCamera(const Document& document, const OrbitCamera& camera) {
  Document next = document.with("flow.space.yaw", camera.yaw)
                      .with("flow.space.pitch", camera.pitch)
                      .with("flow.space.distance", camera.distance)
                      .with("flow.space.perspective", camera.perspective);
  for (std::size_t i = 0; i < 3; ++i)
    next = next.with(targetKey(i), camera.target[i]);
  return next;
}

Document withoutCamera(const Document& document) {
  Document next = document;
  for (const char* key : {"yaw", "pitch", "distance", "target"})
    if (const std::string path = std::string("flow.space.") + key; next.has(path)) next = next.without(path);
  return next;
}

Document withBox(const Document& document, const markov::Box3& box) {
  Document next = document;
  for (std::size_t i = 0; i < 3; ++i)
    next = next.with(boxKey(i, true), box.low[i]).with(boxKey(i, false), box.high[i]);
  return next;
}

Document withSlice(const Document& document, int axis, double at) {
  return document.with("flow.space.slice.axis", std::string(kSpaceAxes[static_cast<std::size_t>(axis)]))
      .with("flow.space.slice.at", at);
}

Document withClip(const Document& document, std::size_t axis, double at) {
  return document.with(clipKey(axis, "at"), at);
}

Document withSpaceLegendAt(const Document& document, double x, double y) {
  return document.with("flow.space.legend.x", x).with("flow.space.legend.y", y);
}

Document withSpaceLegendOpen(const Document& document, bool open) {
  return document.with("flow.space.legend.fold", open ? "open" : "folded");
}

}  // namespace sepx::ui
