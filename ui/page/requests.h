// SPDX-License-Identifier: Apache-2.0
// Requests to an exhibit to show something, made by other parts of the program, as values. This is the only place
// outside an exhibit's folder where its keys are used. with() returns the document that shows it, for Editor::commit.
// Pure; any thread.
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

/// Opens a checkpoint in Weights at its first layer, as when it is dropped on the window.
struct OpenInWeights {
  std::string path;      ///< file, index or folder
  std::string beside{};  ///< a second one, beside it on the Compare page; empty: none
  std::optional<int> layer{}, head{};
};
Document with(const Document& document, const OpenInWeights& request);
/// Keys whose values belong to the checkpoint that is open in Weights. They are removed when another one is opened.
const std::vector<std::string>& openCheckpointKeys();
/// Path of the checkpoint that is open in Weights; empty: the shipped one.
std::string openCheckpoint(const Document& document);

/// Opens the config of a run in Training, to be changed and trained: as a copy, or as a branch from a saved step.
struct EditRun {
  std::string folder;
  std::optional<std::int64_t> step{};  ///< empty: a copy
};
Document with(const Document& document, const EditRun& request);

/// Shows the sweep of a folder in the run library of Training.
struct OpenSweep {
  std::string folder;
};
Document with(const Document& document, const OpenSweep& request);

/// Shows the curves of runs in Training, side by side.
struct ShowRuns {
  std::vector<std::string> folders;
};
Document with(const Document& document, const ShowRuns& request);

/// The property values that show a page of an exhibit.
std::vector<std::pair<std::string, Value>> showPage(const std::string& exhibit, const std::string& page);
/// The property values that show a tensor of the checkpoint that is open in Weights.
std::vector<std::pair<std::string, Value>> showTensor(const std::string& name);
/// The property values that show a study: on the page Tables of Reversal for its paper, else on the page Published of
/// Training. `word`: "table-1".
std::vector<std::pair<std::string, Value>> showStudy(std::string_view paper, std::string_view word);

/// The property values that show the run library, and those that show the config of a new run.
std::vector<std::pair<std::string, Value>> showRunLibrary();
std::vector<std::pair<std::string, Value>> showNewRun();
/// The command on that page that asks for a text to train on.
std::string_view chooseTextCommand();
/// Other words that users have for a command, N_("…"); null: there are none.
const char* commandSynonyms(std::string_view command);

/// Number of steps per frame that a run of Training makes while a script runs.
std::int64_t stepsPerFrame(const Document& document);

}  // namespace sepx::ui
