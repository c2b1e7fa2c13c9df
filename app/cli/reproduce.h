// SPDX-License-Identifier: Apache-2.0
// Published numbers beside our own: what `sepx reproduce` knows and how a row is judged. A table's rows are matched to
// the checkpoints that a person gives; a row that the published code got wrong is shown too, but never judged. Main
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/qk_scores.h"
#include "engine/attention/published.h"

namespace sepx::app::cli {

/// Which number of a layer a table prints.
enum class PublishedScore { Symmetry, Directionality };
/// "symmetry" or "directionality".
const char* word(PublishedScore score);
const std::vector<attention::PublishedValue>& valuesOf(const attention::PublishedModel& model, PublishedScore score);
const attention::Quartiles& quartilesOf(const Summary& summary, PublishedScore score);

/// A checkpoint as given: "NAME=PATH" or PATH.
struct GivenCheckpoint {
  std::string name;  ///< of the published row; empty: by the checkpoint's own names
  std::string path;
};
GivenCheckpoint givenCheckpoint(const std::string& argument);

/// One checkpoint measured with the published conventions: excess, gamma 2, ddof 1.
struct Measured {
  std::string title;
  const attention::PublishedModel* row = nullptr;  ///< null: no row is about this checkpoint
  bool byShape = false;                            ///< of the row's shape only: another training of it, perhaps
  double parameters = 0;
  bool causal = false;
  std::vector<Summary> stacks;
  std::vector<Summary> publishedPairing;  ///< heads paired as the published code did; empty unless queries are grouped
};

/// A row of a table.
struct Judged {
  const attention::PublishedModel* published = nullptr;  ///< never null
  const Measured* measured = nullptr;
  std::optional<double> off;   ///< of the measured median from the nearest printed one
  std::optional<bool> agrees;  ///< within the tolerance of print; nothing for a row that is not judged
};
/// `judged`: false where a part of the layers was measured.
std::vector<Judged> judge(const attention::Published& published, const std::vector<Measured>& measured,
                          PublishedScore score, bool judged);
/// No safe row that was measured disagrees.
bool passed(const std::vector<Judged>& rows);

/// Both scores of published and measured models against the number of parameters. `path` ends in .png, .svg or .pdf.
Result<void> drawFigure2(const attention::Published& published, const std::vector<Measured>& measured,
                         const Options& common, const std::string& recipe, const std::string& path);

}  // namespace sepx::app::cli
