// SPDX-License-Identifier: Apache-2.0
// Pointer and keys over the space of (e, w, a): orbit, pan, zoom; points in the view plane, along an axis or in the
// section; the slice and the clip planes. Everything a drag does is one undo step; the camera is none. Frame thread.
#pragma once

#include <functional>
#include <optional>

#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// The frame of the present document.
using SpaceNow = std::function<SpaceFrame()>;

/// The handle that a press at a place of the page takes.
std::optional<SpaceHandle> spaceHandleAt(const SpaceFrame& frame, render::Point at);
/// What a press takes hold of. `pan`: it moves the picture, where it does not take a handle. `other`: with another
/// button than the left one.
PictureGrip spaceGrip(const SpaceNow& now, render::Point at, bool pan, bool other);
void spaceWheel(Editor& editor, const SpaceFrame& frame, render::Point at, double notches);
/// A double click; false: it is two clicks.
bool spaceTwice(Editor& editor, const SpaceFrame& frame, render::Point at);
void spaceKey(const KeyPressed& event, const SpaceFrame& frame, Editor& editor);

}  // namespace sepx::ui
