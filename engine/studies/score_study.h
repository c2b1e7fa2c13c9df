// SPDX-License-Identifier: Apache-2.0
// Tables 4 and 5 and Figure 2 of Attention-Structure: compares the printed scores with those of given checkpoints. A
// row that the published code computed incorrectly is measured too, but never judged. Worker threads only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/published.h"
#include "engine/studies/layer_scores.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// The score that a table prints.
enum class PublishedScore { Symmetry, Directionality };
/// "symmetry" or "directionality".
const char* toString(PublishedScore score);
const std::vector<attention::PublishedValue>& valuesOf(const attention::PublishedModel& model, PublishedScore score);
const attention::Quartiles& quartilesOf(const Summary& summary, PublishedScore score);

/// The printed row of exactly this checkpoint, found by its title or by the name in its config; null if there is none.
const attention::PublishedModel* publishedOf(const attention::Published& published, const checkpoint::Model& model);

/// One checkpoint measured with the published conventions: excess, gamma 2, ddof 1.
struct Measured {
  std::string title;
  const attention::PublishedModel* row = nullptr;  ///< null: no row is about this checkpoint
  bool byShape = false;                            ///< only the shape matches the row: possibly another training
  double parameters = 0;
  bool causal = false;
  std::vector<Summary> stacks;
  std::vector<Summary> publishedPairing;  ///< heads paired as in the published code; empty unless queries are grouped
};
/// `layers`: all layers of the model. `named`: the row that the user chose; null: found by name, else by shape. Quick:
/// at most four layers of each stack.
Result<Measured> measure(const checkpoint::Model& model, const Layers& layers, const attention::Published& published,
                         const attention::PublishedModel* named, bool quick, MomentsComputer& computer,
                         const std::function<void(double share)>& progress = {});

/// A row of a table.
struct Judged {
  const attention::PublishedModel* published = nullptr;  ///< never null
  const Measured* measured = nullptr;
  const Summary* own = nullptr;  ///< of the stack that the row is about; null: not measured
  std::optional<double> off;     ///< distance of the measured median from the nearest printed one
  std::optional<bool> agrees;    ///< within the tolerance of print; empty if the row is not judged
};
/// All rows of the table, and the measured rows of the authors' repository, which are shown but not judged. `judged`:
/// false if only a part of the layers was measured.
std::vector<Judged> judge(const attention::Published& published, const std::vector<Measured>& measured,
                          PublishedScore score, bool judged);

/// The measured scores: Table 4 has the symmetry, Table 5 the directionality, Figure 2 both.
struct ScoreTables {
  const Study* study = nullptr;  ///< never null
  bool quick = false;
  attention::Published published;
  std::vector<Measured> measured;
  std::vector<std::pair<PublishedScore, std::vector<Judged>>> tables;
  /// One check for every row that is judged.
  std::vector<Check> checks() const;
  bool passed() const { return studies::passed(checks()); }
  /// Fills `tables`, which points into `published` and `measured`: do not move or change these afterwards.
  void judgeAll();
};

}  // namespace sepx::studies
