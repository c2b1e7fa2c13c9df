// SPDX-License-Identifier: Apache-2.0
// Paths of the files that a document refers to (Property::file), in all its panes. They are absolute while the program
// runs and relative to the folder of the session in a session file, so that a folder with both can be moved. Pure,
// except that missingFiles() and checkCheckpoints() access files. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// For a session written into `folder`. A path that shares no top-level folder with it stays absolute.
Document withRelativePaths(Document document, const PropertyRegistry& registry, const std::string& folder);
/// For a session that was read from `folder`.
Document withAbsolutePaths(Document document, const PropertyRegistry& registry, const std::string& folder);

/// For a state that leaves this machine as text: a path in the home folder begins with "~/", and a path of a file that
/// ships with the program with "$assets/".
Document withSharedPaths(Document document, const PropertyRegistry& registry, const std::string& assets);
/// The inverse of withSharedPaths(), with the folders of this machine.
Document withOwnPaths(Document document, const PropertyRegistry& registry, const std::string& assets);

struct MissingFile {
  std::string key;  ///< full, with its pane: "weights@2.checkpoint"
  std::string path;
};
/// Files that the document refers to and that do not exist.
std::vector<MissingFile> missingFiles(const Document& document, const PropertyRegistry& registry);
/// BadInput with the reason for the first checkpoint that the picture of a pane needs and that cannot be opened. For
/// hosts without a window, where nobody would see that it is missing. `exhibit`: what the pane shows. `rules`: folder
/// of the user's rules for checkpoints.
Result<void> checkCheckpoints(const Document& pane, const PropertyRegistry& registry, const std::string& exhibit,
                              const std::string& rules);

}  // namespace sepx::ui
