// SPDX-License-Identifier: Apache-2.0
// What is read of runs on pairs: accuracy and probability of both directions at the step shown. Frame thread.
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
/// Whether the averaged parameters of a run are shown: `reversal.weights`, where the run has them.
bool showsAveraged(const ReversalShared& shared, const Run& run);
/// At the step shown, of the weights chosen.
std::optional<double> pairValue(const ReversalShared& shared, const Run& run, PairMeasure measure,
                                reversal::Direction direction);

/// reversal.weights and reversal.runs[].accuracy.forward and so on. The referent outlives the registry.
void declareReversalReadOuts(PropertyRegistry& registry, const ReversalShared& live);

}  // namespace sepx::ui
