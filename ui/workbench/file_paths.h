// SPDX-License-Identifier: Apache-2.0
// Paths of files that a document refers to (Property::file), in all its panes: absolute while the program runs,
// relative to the session's folder in the session, so that a folder with both can be moved. Pure but for asking whether
// a file is there. Any thread.
#pragma once

#include <string>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// For writing into `folder`. A path on another branch of the tree stays absolute.
Document withRelativePaths(Document document, const PropertyRegistry& registry, const std::string& folder);
/// After reading from `folder`.
Document withAbsolutePaths(Document document, const PropertyRegistry& registry, const std::string& folder);

struct MissingFile {
  std::string key;  ///< full, with its pane: "weights@2.checkpoint"
  std::string path;
};
/// Files that the document refers to and that are not there.
std::vector<MissingFile> missingFiles(const Document& document, const PropertyRegistry& registry);

}  // namespace sepx::ui
