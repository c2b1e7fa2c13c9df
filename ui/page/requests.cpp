// SPDX-License-Identifier: Apache-2.0
// See requests.h.
#include "ui/page/requests.h"

#include <algorithm>
#include <initializer_list>

#include "ui/page/page_key.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

template <class Keys>
Document without(Document document, const Keys& keys) {
  for (const auto& key : keys)
    if (document.has(key)) document = document.without(key);
  return document;
}

/// The document with this exhibit shown; unchanged if it is shown already.
Document in(const Document& document, const char* exhibit) {
  return document.at("exhibit") == exhibit ? document : document.with("exhibit", exhibit);
}

}  // namespace

const std::vector<std::string>& openCheckpointKeys() {
  static const std::vector<std::string> keys{
      "weights.stack",          "weights.layer",          "weights.head",
      "weights.view",           "weights.rule.show",      "weights.mapping.embedding",
      "weights.sentence.ids",   "weights.sentence.edits", "weights.sentence.place",
      "weights.sentence.query", "weights.sentence.key"};
  return keys;
}

Document with(const Document& document, const OpenInWeights& request) {
  Document next = in(without(document, openCheckpointKeys()), "weights").with("weights.checkpoint", request.path);
  if (!request.beside.empty())
    next = next.with("weights.page", "compare").with("weights.compare.checkpoint", request.beside);
  if (request.layer) next = next.with("weights.layer", *request.layer);
  if (request.head) next = next.with("weights.head", *request.head);
  return next;
}

std::string openCheckpoint(const Document& document) {
  const Json& path = document.at("weights.checkpoint");
  return path.is_string() ? path.get<std::string>() : std::string();
}

/// The page takes over the config of the run. For a branch it shows the optimiser, since the rate and the steps are
/// what one changes.
Document with(const Document& document, const EditRun& request) {
  Document next =
      in(without(document, std::initializer_list<const char*>{"training.own", "training.editor"}), "training")
          .with("training.own.parent", request.folder);
  if (request.step)
    next = next.with("training.own.parent_step", *request.step).with("training.editor.group", "optimiser");
  return next.with("training.page", "own");
}

/// Removes the choices of another sweep, which do not fit this one.
Document with(const Document& document, const OpenSweep& request) {
  return without(document, std::initializer_list<const char*>{"training.library.sweep", "training.library.selected",
                                                              "training.library.search", "training.library.filter"})
      .with("exhibit", "training")
      .with("training.page", "library")
      .with("training.library.folder", request.folder)
      .with("training.library.view", "sweep");
}

/// The runs are shown at their newest step.
Document with(const Document& document, const ShowRuns& request) {
  Json runs = Json::array();
  for (const std::string& folder : request.folders)
    runs.push_back({{"folder", folder}});
  return in(without(document, std::initializer_list<const char*>{"training.step"}), "training")
      .with("training.runs", std::move(runs))
      .with("training.experiment", "own")
      .with("training.page", "curves");
}

std::vector<std::pair<std::string, Value>> showPage(const std::string& exhibit, const std::string& page) {
  return {{"exhibit", exhibit}, {pageKey(exhibit), page}};
}

std::vector<std::pair<std::string, Value>> showTensor(const std::string& name) {
  auto all = showPage("weights", "mapping");
  all.emplace_back("weights.mapping.tensor", name);
  return all;
}

std::vector<std::pair<std::string, Value>> showStudy(std::string_view paper, std::string_view word) {
  const bool reversal = paper == "Reversal";
  auto changes = reversal ? showPage("reversal", "tables") : showPage("training", "published");
  // The page Published uses a prefix for studies of Local-to-Global, because both papers have a Figure 3.
  const std::string own = paper == "Local-to-Global" ? "local-to-global-" : "";
  changes.emplace_back(reversal ? "reversal.tables.study" : "training.published.study", own + std::string(word));
  return changes;
}

std::vector<std::pair<std::string, Value>> showRunLibrary() {
  return showPage("training", "library");
}

std::vector<std::pair<std::string, Value>> showNewRun() {
  return showPage("training", "own");
}

std::string_view chooseTextCommand() {
  return "training.own-choose";
}

const char* commandSynonyms(std::string_view command) {
  static constexpr std::pair<std::string_view, const char*> kAlso[] = {
      {"file.export", N_("save a figure of one, two or more panels for a paper: PDF, SVG, PNG, film, numbers as CSV")},
      {"file.open", N_("load a file: checkpoint, run, text, table")},
      {"view.split-two", N_("two panels side by side")},
      {"training.own-choose", N_("my own data: train a new run on a text file")},
      {"training.branch", N_("continue a run with another learning rate")},
      {"training.library-open", N_("find a run of today or yesterday")}};
  for (const auto& [key, words] : kAlso)
    if (key == command) return words;
  return nullptr;
}

std::int64_t stepsPerFrame(const Document& document) {
  constexpr std::int64_t kUsual = 8, kMost = 1'000'000;
  const Json& steps = document.at("training.steps_per_frame");
  return steps.is_number() ? static_cast<std::int64_t>(std::clamp<double>(steps.get<double>(), 1, kMost)) : kUsual;
}

}  // namespace sepx::ui
