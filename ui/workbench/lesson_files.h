// SPDX-License-Identifier: Apache-2.0
// Checks which files a lesson may open: those of its own folder and those that ship with the program. Pure except for
// resolving paths; any thread.
#pragma once

#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// The first file that a document names (Property::file, in any pane) and that is in none of `folders` after links are
/// resolved; empty: there is none. Paths are absolute.
std::string fileOutside(const Document& document, const PropertyRegistry& registry,
                        const std::vector<std::string>& folders);

}  // namespace sepx::ui
