// SPDX-License-Identifier: Apache-2.0
// The experiments of the Reversal exhibit and their choices: quick or full setting, seeds, encodings. Constant data,
// and configs made from the document. Any thread, except declareReversal().
#pragma once

#include <span>

#include "ui/properties/registry.h"
#include "ui/race/experiment.h"

namespace sepx::ui {

/// A position encoding of the masked diffusion model.
struct Encoding {
  const char* word;    ///< of `reversal.encodings.WORD` and `reversal.encoding`
  const char* name;    ///< N_()
  const char* help;    ///< N_()
  const char* config;  ///< file of assets/configs without ".json"
  bool shown;          ///< by default
};
std::span<const Encoding> reversalEncodings();

std::span<const Experiment> reversalExperiments();
/// The description of the races of the Reversal exhibit.
const RaceKind& reversalRaces();

/// The parameters of Start: setting, seeds, encodings. Frame thread, once.
void declareReversal(PropertyRegistry& registry);

}  // namespace sepx::ui
