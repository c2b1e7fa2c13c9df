// SPDX-License-Identifier: Apache-2.0
// Deleting so that a person can take it back: the freedesktop.org trash (Trash specification 1.0). What lies on the
// file system of $XDG_DATA_HOME goes to $XDG_DATA_HOME/Trash, anything else to .Trash-UID at the top of its own, which
// must be a folder of the user that nobody else may write. A file manager can take it back from there, and so can
// putBack(). Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::train {

/// Moves a file or folder there; where it lies now. OutputFailed with path and reason: it is where it was then.
Result<std::string> moveToTrash(const std::string& path);
/// Moves what moveToTrash(`from`) put at `where` back; answers its whole path. OutputFailed, with path and reason,
/// where something else lies there now or the trash was emptied: nothing is changed then. What the trash itself says of
/// where it came from is not read: others may have written it.
Result<std::string> putBack(const std::string& where, const std::string& from);

}  // namespace sepx::train
