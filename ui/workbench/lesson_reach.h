// SPDX-License-Identifier: Apache-2.0
// What a lesson may open: files of its own folder, and those that ship with the program. Pure but for asking where a
// path leads; any thread.
#pragma once

#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// The first file that a document names (Property::file, in any pane) and that lies in none of `folders`, links
/// followed; empty: there is none. Paths are absolute.
std::string fileOutside(const Document& document, const PropertyRegistry& registry,
                        const std::vector<std::string>& folders);

}  // namespace sepx::ui
