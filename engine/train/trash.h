// SPDX-License-Identifier: Apache-2.0
// Moves files to the trash, from where they can be restored: the freedesktop.org trash (Trash specification 1.0). Files
// on the file system of $XDG_DATA_HOME go to $XDG_DATA_HOME/Trash, others to .Trash-UID at the top of their own file
// system, which must be a folder of the user that nobody else may write. A file manager can restore them from there,
// and so can putBack(). Any thread.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace sepx::train {

/// Moves a file or folder to the trash and returns its new path. Fails with OutputFailed (path and reason) and then
/// leaves it where it was.
Result<std::string> moveToTrash(const std::string& path);
/// Moves back what moveToTrash(`from`) put at `where`; returns its whole path. Fails with OutputFailed (path and
/// reason) if something else is there now or the trash was emptied: nothing is changed then. The origin that the trash
/// itself records is not used, because others may have written it.
Result<std::string> putBack(const std::string& where, const std::string& from);

}  // namespace sepx::train
