// SPDX-License-Identifier: Apache-2.0
// A trained model under the names of the nearest family of Hugging Face, and the file of its words. One thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/train/checkpoint_writer.h"
#include "engine/train/run_config.h"

namespace sepx::train {

/// The nearest family: its config.json and tensors; `deviation`: what that family's code would compute otherwise
/// (empty: nothing), written into config.json as "separatrix_deviation", with the number of trained ones as
/// "separatrix_parameters". Tensors that the family lacks come last, under our names. Points into `theta`.
struct FamilyExport {
  std::string family;  ///< "bert", "modernbert", "gpt2", "gpt_neox", "llama"
  nlohmann::ordered_json config;
  std::vector<TensorOut> tensors;
  std::string deviation;
};
FamilyExport exportFamily(const RunConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                          const std::vector<std::string>& words);

/// The file of the words beside the weights: vocab.txt (a line a word) for BERT's family, vocab.json otherwise, or
/// where a word holds a line break. Words that come twice or are no UTF-8 are told apart. Both empty for no words.
struct VocabularyFile {
  std::string name, content;
};
VocabularyFile vocabularyFile(const std::string& family, const std::vector<std::string>& words);

}  // namespace sepx::train
