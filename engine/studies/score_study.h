// SPDX-License-Identifier: Apache-2.0
// Tables 4 and 5 and Figure 2 of Attention-Structure: printed scores beside those of given checkpoints. A row that the
// published code got wrong is measured too, but never judged. Workers only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/published.h"
#include "engine/studies/layer_scores.h"
#include "engine/studies/study.h"

namespace sepx::studies {

/// Which number of a layer a table prints.
enum class PublishedScore { Symmetry, Directionality };
/// "symmetry" or "directionality".
const char* toString(PublishedScore score);
const std::vector<attention::PublishedValue>& valuesOf(const attention::PublishedModel& model, PublishedScore score);
const attention::Quartiles& quartilesOf(const Summary& summary, PublishedScore score);

/// The printed row of the very checkpoint, by its title or what its config calls it; null: none.
const attention::PublishedModel* publishedOf(const attention::Published& published, const checkpoint::Model& model);

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
/// `layers`: all of the model's. `named`: the row that a person says it is; null: found by name, else by shape. Quick:
/// four layers of a stack at most.
Result<Measured> measure(const checkpoint::Model& model, const Layers& layers, const attention::Published& published,
                         const attention::PublishedModel* named, bool quick, MomentsComputer& computer,
                         const std::function<void(double share)>& progress = {});

/// A row of a table.
struct Judged {
  const attention::PublishedModel* published = nullptr;  ///< never null
  const Measured* measured = nullptr;
  const Summary* own = nullptr;  ///< of the stack that the row is about; null: not measured
  std::optional<double> off;     ///< of the measured median from the nearest printed one
  std::optional<bool> agrees;    ///< within the tolerance of print; nothing for a row that is not judged
};
/// All rows of the table, and those of the authors' repository that were measured: they are shown, not judged.
/// `judged`: false where a part of the layers was measured.
std::vector<Judged> judge(const attention::Published& published, const std::vector<Measured>& measured,
                          PublishedScore score, bool judged);

/// What is measured: Table 4 has the symmetry, Table 5 the directionality, Figure 2 both.
struct ScoreTables {
  const Study* study = nullptr;  ///< never null
  bool quick = false;
  attention::Published published;
  std::vector<Measured> measured;
  std::vector<std::pair<PublishedScore, std::vector<Judged>>> tables;
  /// No safe row that was measured disagrees.
  std::vector<Check> checks() const;
  bool passed() const { return studies::passed(checks()); }
  /// Fills `tables` from the rest, which stays where it is from then on.
  void judgeAll();
};

}  // namespace sepx::studies
