// SPDX-License-Identifier: Apache-2.0
// Everything that a script can use, as the program itself declares it: exhibits and their pages, every parameter with
// its range, the controls of a page, the shortcuts of its commands, read-outs. A page that is added to the program is
// included without an edit here. Frame thread; no device.
#pragma once

#include <string>
#include <vector>

#include "ui/properties/registry.h"

namespace sepx::monkey {

/// A page of an exhibit, and what is on screen while it is shown.
struct PageWords {
  std::string exhibit, page;
  std::vector<std::string> controls;  ///< keys for `ui:`
  std::vector<std::string> chords;    ///< shortcuts of the commands that are available then
};

struct Vocabulary {
  std::vector<ui::Property> parameters;  ///< of a pane and of the window: key, kind, range, choices
  std::vector<std::string> readOuts;
  std::vector<PageWords> pages;
  std::vector<std::string> themes;
  std::vector<std::string> files;  ///< paths for `open`, relative to the folder in which a walk is played
};

/// Reads them page by page from a new workbench. `files` as above.
Vocabulary makeVocabulary(std::vector<std::string> files);

}  // namespace sepx::monkey
