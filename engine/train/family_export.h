// SPDX-License-Identifier: Apache-2.0
// Exports a trained model under the names of the nearest family of Hugging Face, with the file of its vocabulary. One
// thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// A model as the nearest family: config.json and tensors. `deviation` says what that family's code would compute
/// differently (empty: nothing). It is written into config.json as "separatrix_deviation", and the number of trained
/// parameters as "separatrix_parameters". Tensors that the family does not have come last, under our names. Points into
/// `theta`.
struct FamilyExport {
  std::string family;  ///< "bert", "modernbert", "gpt2", "gpt_neox", "llama", "vit"
  nlohmann::ordered_json config;
  std::vector<ExportedTensor> tensors;
  std::string deviation;
};
FamilyExport exportFamily(const RunConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                          const std::vector<std::string>& words);

/// The vocabulary file next to the weights: vocab.txt (one word per line) for BERT's family, vocab.json for the others
/// or if a word contains a line break. Words that occur twice or are not UTF-8 are made distinct. Both are empty if
/// there are no words, or if config.json names them as classes.
struct VocabularyFile {
  std::string name, content;
};
VocabularyFile vocabularyFile(const std::string& family, const std::vector<std::string>& words);

}  // namespace sepx::train
