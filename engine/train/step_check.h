// SPDX-License-Identifier: Apache-2.0
// What can be said of a run once its data are read and before its first step: vocabulary, special tokens, memory, names
// of parameters, lines to compare its loss with. Pure but for what it asks the machine; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/data/source.h"
#include "engine/nn/parameters.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// Fills in what only the source knows: the vocabulary where the config says 0, [MASK], the range of random words.
/// Usage when the model's vocabulary is too small or the objective wants a [MASK] that the data lack.
Result<void> resolve(RunConfig& config, const data::Source& source);
/// Usage when the run wants more memory than there is (bytes; 0: that of this machine).
Result<void> checkMemory(const RunConfig& config, std::uint64_t memory = 0);

/// One sentence where a step of a resolved config will take long on so many threads: how long about, and why. Empty:
/// it will not. An estimate: machines differ from it by several times (docs/training.md).
std::string slowStep(const RunConfig& config, int threads);

/// Usage when schedule.watch names a parameter that the model does not have.
Result<void> checkWatch(const RunConfig& config, const nn::ParameterLayout& layout);

/// Usage when optimisation.frozen names no group and no parameter of the model, or leaves nothing to train.
Result<void> checkFrozen(const RunConfig& config, const nn::ParameterLayout& layout);

/// Lines that the loss of this run can be compared with: the source's that the objective's description
/// names (nn::LossBound), a predicted token or a sequence.
std::vector<data::Bound> boundsOf(const RunConfig& config, const data::Source& source);
/// Of the words and the first sequences of both splits: whether a source is still the one a run was begun with.
std::uint64_t fingerprint(const data::Source& source, int length);

}  // namespace sepx::train
