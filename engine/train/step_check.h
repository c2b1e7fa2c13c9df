// SPDX-License-Identifier: Apache-2.0
// Checks of a run after its data are read and before its first step: vocabulary, special tokens, memory, names of
// parameters, and reference values for its loss. Pure, except that it queries the machine; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source.h"
#include "engine/nn/parameters.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Fills in what only the source knows: the vocabulary if the config has 0, [MASK], the range of random words. Fails
/// with Usage if the model's vocabulary is too small or the objective needs a [MASK] that the data do not have.
Result<void> resolve(RunConfig& config, const data::Source& source);
/// Fails with Usage if the run needs more than `memory` (bytes; 0: that of this machine).
Result<void> checkMemory(const RunConfig& config, std::uint64_t memory = 0);

/// A warning in one sentence if a step of a resolved config will take long on this number of threads: about how long,
/// and why. Otherwise empty. An estimate: machines differ from it by a factor of several (docs/training.md).
std::string slowStep(const RunConfig& config, int threads);

/// Fails with Usage if schedule.watch names a parameter that the model does not have.
Result<void> checkWatch(const RunConfig& config, const nn::ParameterLayout& layout);

/// Fails with Usage if optimisation.frozen contains a name that is no group and no parameter of the model, or leaves
/// nothing to train.
Result<void> checkFrozen(const RunConfig& config, const nn::ParameterLayout& layout);

/// Reference values for the loss of this run: those of the source that the objective's description names
/// (nn::LossBound), per predicted token or per sequence.
std::vector<data::Bound> boundsOf(const RunConfig& config, const data::Source& source);
/// A hash of the words and the first sequences of both splits: shows whether a source is still the one with which a run
/// was started.
std::uint64_t fingerprint(const data::Source& source, int length);

}  // namespace sepx::train
