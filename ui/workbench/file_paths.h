// SPDX-License-Identifier: Apache-2.0
// Paths of files that a document refers to (Property::file), in all its panes: absolute while the program runs,
// relative to the session's folder in the session, so that a folder with both can be moved. Pure but for asking whether
// a file is there. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/document.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

/// For writing into `folder`. A path on another branch of the tree stays absolute.
Document withRelativePaths(Document document, const PropertyRegistry& registry, const std::string& folder);
/// After reading from `folder`.
Document withAbsolutePaths(Document document, const PropertyRegistry& registry, const std::string& folder);

/// For a state that leaves this machine as text: a path in the home folder begins with "~/", one of what ships with the
/// program with "$assets/".
Document withSharedPaths(Document document, const PropertyRegistry& registry, const std::string& assets);
/// The other way, on this machine.
Document withOwnPaths(Document document, const PropertyRegistry& registry, const std::string& assets);

struct MissingFile {
  std::string key;  ///< full, with its pane: "weights@2.checkpoint"
  std::string path;
};
/// Files that the document refers to and that are not there.
std::vector<MissingFile> missingFiles(const Document& document, const PropertyRegistry& registry);
/// BadInput with what is wrong with the first checkpoint that the picture of a pane's document needs and that cannot be
/// opened: for hosts without a window, where nobody sees that it is not there. `exhibit`: what the pane shows; `rules`:
/// folder of the person's own.
Result<void> checkCheckpoints(const Document& pane, const PropertyRegistry& registry, const std::string& exhibit,
                              const std::string& rules);

}  // namespace sepx::ui
