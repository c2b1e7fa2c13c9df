// SPDX-License-Identifier: Apache-2.0
// Reads llama2.c: a header of integers, then tensors without names in a fixed order, the same tensor of all layers
// together. Tensors and header get the names of Hugging Face's LLaMA, so that one rule serves both. The rows of W_Q and
// W_K stay in the order of the file, where the two rows of a rotated pair are adjacent.
#include <algorithm>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/llama2c_header.h"

namespace sepx::checkpoint {

namespace {

std::string layered(const std::string& pattern, std::int64_t layer) {
  const auto at = pattern.find("{layer}");
  if (at == std::string::npos) return pattern;
  return pattern.substr(0, at) + std::to_string(layer) + pattern.substr(at + 7);
}

nlohmann::json configOf(const Llama2cHeader& header) {
  return {{"model_type", "llama"},
          {"hidden_size", header.dim},
          {"intermediate_size", header.hidden},
          {"num_hidden_layers", header.layers},
          {"num_attention_heads", header.heads},
          {"num_key_value_heads", header.kvHeads},
          {"vocab_size", header.vocabulary},
          {"max_position_embeddings", header.positions},
          {"tie_word_embeddings", header.sharedClassifier},
          {"rms_norm_eps", 1e-5},
          {"rope_theta", 10000.0},
          {"rope_interleaved", true}};
}

}  // namespace

Result<Contents> readLlama2c(std::shared_ptr<const MappedFile> file) {
  const std::string& path = file->path();
  const auto header = llama2cHeader(file->bytes().first(std::min<std::uint64_t>(file->size(), kLlama2cHead)));
  if (!header) return broken(path, "byte 0: the header of a llama2.c file is cut off or its numbers make no model");
  if (const std::uint64_t expected = bytesOf(*header); expected != file->size()) {
    return broken(path,
                  fmt::format("the llama2.c header describes a model of {} bytes, but the file has {}: it is cut off "
                              "or not of this format",
                              expected, file->size()));
  }
  Contents contents;
  contents.format = Format::Llama2c;
  contents.config = configOf(*header);
  contents.configFrom = "llama2.c header";
  contents.metadata["version"] = std::to_string(header->version);
  std::uint64_t at = header->dataBegin;
  for (const Llama2cSection& section : llama2cSections(*header)) {
    const std::uint64_t bytes = bytesOf(section, *header);
    for (std::int64_t layer = 0; layer < (section.perLayer ? header->layers : 1); ++layer, at += bytes) {
      if (section.name.empty()) continue;
      TensorInfo tensor;
      tensor.name = layered(section.name, layer);
      const bool packed = header->version == 2 && section.quantised;
      tensor.dtype = packed ? Dtype::Unreadable : Dtype::F32;
      tensor.dtypeName = packed ? fmt::format("Q8 in groups of {}", header->groupSize) : "F32";
      tensor.shape = {section.rows};
      if (section.columns > 0) tensor.shape.push_back(section.columns);
      tensor.offset = at;
      tensor.bytes = bytes;
      contents.tensors.push_back(std::move(tensor));
    }
  }
  contents.files.push_back(std::move(file));
  return contents;
}

}  // namespace sepx::checkpoint
