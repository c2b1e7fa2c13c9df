// SPDX-License-Identifier: Apache-2.0
// What one part of the program asks an exhibit to show, as values: the one place where keys of an exhibit stand outside
// its own folder. with() makes the document that shows it, for Editor::commit. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/document/document.h"
#include "ui/properties/into.h"

namespace sepx::ui {

/// A checkpoint in Weights, from its first layer, as one that is dropped on the window.
struct OpenInWeights {
  std::string path;      ///< file, index or folder
  std::string beside{};  ///< a second one, laid beside it on the page of comparison; empty: none
  std::optional<int> layer{}, head{};
};
Document with(const Document& document, const OpenInWeights& request);
/// What of a document belongs to the checkpoint that is open in Weights, and not to the next one.
const std::vector<std::string>& ofOpenCheckpoint();
/// Path of the checkpoint that is open in Weights; empty: the one that ships.
std::string openCheckpoint(const Document& document);

/// The config of a run in Training, to be changed and trained: as a copy, or as a branch from a saved step.
struct EditRun {
  std::string folder;
  std::optional<std::int64_t> step{};  ///< nothing: a copy
};
Document with(const Document& document, const EditRun& request);

/// The sweep of a folder in the library of Training.
struct OpenSweep {
  std::string folder;
};
Document with(const Document& document, const OpenSweep& request);

/// The curves of runs in Training, side by side.
struct ShowRuns {
  std::vector<std::string> folders;
};
Document with(const Document& document, const ShowRuns& request);

/// What shows a page of an exhibit.
std::vector<std::pair<std::string, Value>> showPage(const std::string& exhibit, const std::string& page);
/// What shows a tensor of the checkpoint that is open in Weights.
std::vector<std::pair<std::string, Value>> showTensor(const std::string& name);
/// What shows a study on the page of its paper; empty: its paper has none. `word`: "table-1".
std::vector<std::pair<std::string, Value>> showStudy(std::string_view paper, std::string_view word);

/// What shows all runs, and what shows the config of a new one.
std::vector<std::pair<std::string, Value>> showRunLibrary();
std::vector<std::pair<std::string, Value>> showNewRun();
/// The command there that asks for a text to train on.
std::string_view chooseTextCommand();
/// What people call a command that is called otherwise, N_("…"); null: nothing else.
const char* alsoCalled(std::string_view command);

/// How many steps a run of Training makes a frame while a script plays.
std::int64_t stepsPerFrame(const Document& document);

}  // namespace sepx::ui
