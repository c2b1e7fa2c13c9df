// SPDX-License-Identifier: Apache-2.0
// Pointer and key input of the space page, (e, w, a): orbit, pan and zoom; moving points in the view plane, along an
// axis or in the section; moving the slice and clip planes. A drag is one undo step; a change of the camera is not
// undoable. Frame thread.
#pragma once

#include <functional>
#include <optional>

#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/views/view.h"

namespace sepx::ui {

/// Returns the frame of the current document.
using SpaceNow = std::function<SpaceFrame()>;

/// The handle that a press at a place of the page takes.
std::optional<SpaceHandle> spaceHandleAt(const SpaceFrame& frame, render::Point at);
/// What a press drags. `pan`: it pans the picture if it takes no handle. `other`: a button other than the left one was
/// pressed.
PictureGrip spaceGrip(const SpaceNow& now, render::Point at, bool pan, bool other);
void spaceWheel(Editor& editor, const SpaceFrame& frame, render::Point at, double notches);
/// Handles a double click. Returns false if it counts as two single clicks.
bool spaceDoubleClick(Editor& editor, const SpaceFrame& frame, render::Point at);
void spaceKey(const KeyPressed& event, const SpaceFrame& frame, Editor& editor);

}  // namespace sepx::ui
