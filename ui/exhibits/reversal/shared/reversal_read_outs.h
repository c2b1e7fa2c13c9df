// SPDX-License-Identifier: Apache-2.0
// Read-outs of runs on pairs: accuracy and probability of both directions at the step shown. Frame thread.
#pragma once

#include <optional>
#include <string>

#include "engine/reversal/query.h"
#include "ui/exhibits/reversal/shared/reversal_page.h"
#include "ui/properties/registry.h"

namespace sepx::ui {

enum class PairMeasure { Accuracy, Letters, Probability, Zero };

/// The name of a metric of the trainer (engine/train/metrics.h): "reverse_accuracy_letters_ema".
std::string pairMetric(PairMeasure measure, reversal::Direction direction, bool averaged);
/// Whether the averaged parameters of a run are shown: `reversal.weights`, if the run has them.
bool showsAveraged(const ReversalShared& shared, const Run& run);
/// The value at the step shown, for the selected weights; empty if there is none.
std::optional<double> pairValue(const ReversalShared& shared, const Run& run, PairMeasure measure,
                                reversal::Direction direction);

/// Declares reversal.weights, reversal.runs[].accuracy.forward and so on. `live` must outlive the registry.
void declareReversalReadOuts(PropertyRegistry& registry, const ReversalShared& live);

}  // namespace sepx::ui
