// SPDX-License-Identifier: Apache-2.0
// Chooses the nearest family, and adds what every folder also contains: our whole config, the deviation, the words.
#include "engine/train/family_export.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/core/utf8.h"
#include "engine/train/family_export_body.h"
#include "engine/train/family_export_parts.h"

namespace sepx::train {

namespace {

const char* nearest(const nn::ModelConfig& config) {
  if (config.readsImages()) return "vit";
  const bool rope = config.positions == nn::Positions::Rope;
  if (!config.causal) return rope ? "modernbert" : "bert";
  const bool rms = config.norm == nn::Norm::Rms, gated = config.activation == nn::Activation::SwiGlu;
  const bool own = config.kv() != config.heads || config.d_q() != config.d_model;  // only LLaMA has such heads
  if (own || (rope && (rms || gated)) || (rms && gated)) return "llama";
  return rope ? "gpt_neox" : "gpt2";
}

/// Null if models are not written under the names of this family.
const checkpoint::FamilyRule* writtenFamily(std::string_view key) {
  const auto& all = checkpoint::allFamilies();
  const auto found = std::ranges::find_if(
      all, [&](const auto& rule) { return rule.parts && rule.parts->config != nullptr && rule.key == key; });
  return found == all.end() ? nullptr : &*found;
}

/// The word as UTF-8, with each invalid byte written as "<0xFF>".
std::string printable(std::string_view word) {
  std::string out;
  while (!word.empty()) {
    const std::size_t good = findInvalidUtf8(word).value_or(word.size());
    out += word.substr(0, good);
    word.remove_prefix(good);
    if (word.empty()) break;
    out += fmt::format("<0x{:02X}>", static_cast<unsigned char>(word.front()));
    word.remove_prefix(1);
  }
  return out;
}

/// Makes all words distinct: the index is appended to a word that is empty or occurs again.
std::vector<std::string> makeDistinct(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = printable(words[i]);
    while (word.empty() || !seen.insert(word).second)
      word += fmt::format("[{}]", i);
    out.push_back(std::move(word));
  }
  return out;
}

}  // namespace

FamilyExport exportFamily(const RunConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                          const std::vector<std::string>& words) {
  FamilyExport out = exportAs(*writtenFamily(nearest(config.model)), config.model, layout, theta);
  if (!out.deviation.empty()) out.config["separatrix_deviation"] = out.deviation;
  out.config["separatrix_parameters"] = layout.size();  // of the model: the family's tensors may hold more
  if (words.size() == static_cast<std::size_t>(std::max(config.model.vocabulary, 0)) &&
      config.objective.maskToken >= 0 && static_cast<std::size_t>(config.objective.maskToken) < words.size())
    out.config["mask_token_id"] = config.objective.maskToken;
  if (config.model.readsImages()) {
    std::vector<std::string> classes = words;
    for (std::size_t i = classes.size(); i < static_cast<std::size_t>(config.model.vocabulary); ++i)
      classes.push_back(fmt::format("class {}", i));
    classes = makeDistinct(classes);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      out.config["id2label"][std::to_string(i)] = classes[i];
      out.config["label2id"][classes[i]] = i;
    }
  }
  out.config["separatrix"] = toJson(config);
  return out;
}

VocabularyFile vocabularyFile(const std::string& family, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const std::vector<std::string> list = makeDistinct(words);
  const checkpoint::FamilyRule* const rule = writtenFamily(family);
  if (rule != nullptr && !rule->parts->patches.empty()) return {};  // config.json names the classes
  const bool lines = rule != nullptr && rule->parts->wordsInLines;
  const bool breaks = std::any_of(list.begin(), list.end(), [](const std::string& word) {
    return word.find_first_of("\r\n") != std::string::npos;
  });
  VocabularyFile file;
  if (lines && !breaks) {
    file.name = "vocab.txt";
    for (const std::string& word : list)
      file.content += word + "\n";
    return file;
  }
  file.name = "vocab.json";
  for (std::size_t i = 0; i < list.size(); ++i)
    file.content += fmt::format("{}{}: {}", i == 0 ? "{\n" : ",\n", nlohmann::json(list[i]).dump(), i);
  file.content += "\n}\n";
  return file;
}

}  // namespace sepx::train
