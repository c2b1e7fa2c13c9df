// SPDX-License-Identifier: Apache-2.0
// The scores that Attention-Structure printed (Tables 4 and 5), with the data that a chart needs as well: parameter
// counts and which models are encoders. Some rows cannot serve as a reference, because the published code did not form
// W_qk as the model does; these rows contain the reason. Values that are in neither table, but in the text of the
// authors' repository, are marked with their source. Parses the text of assets/published/attention_structure.json. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::attention {

/// A printed value: the median over the layers, and the distances of the quartiles from it.
struct PublishedValue {
  double median = 0, minus = 0, plus = 0;
  std::string source{};  ///< empty: Table 4 or 5; otherwise the location, with the commit
  bool isPrinted() const { return source.empty(); }
};
/// Half a unit of the last printed digit.
inline constexpr double kPrintTolerance = 0.005;

/// The shape from a checkpoint's config, for checkpoints that are not recognised by name.
struct ModelShape {
  std::string modelType;  ///< from config.json; empty: unknown
  int layers = 0, d_model = 0;
  int kvHeads = 0;  ///< 0: equal to the number of query heads, or not compared
};

struct PublishedModel {                  ///< one printed row
  enum class Kind { Encoder, Decoder };  ///< bidirectional or causal attention
  std::string name;       ///< as printed, "GPT2-XL", with a suffix if several checkpoints share the printed name
  std::string printed;    ///< as printed: "BEiT-base"
  double parameters = 0;  ///< public parameter count, for the x axis
  Kind kind = Kind::Encoder;
  std::string modality;                        ///< "language", "vision"
  std::vector<PublishedValue> symmetry;        ///< Table 4; several if the table has the checkpoint more than once
  std::vector<PublishedValue> directionality;  ///< Table 5, with its sign: negative where columns dominate
  std::string stack;                           ///< the stack of a model with several: "decoder"; empty: one stack
  std::string unsafe;                          ///< why measurements are not compared with the row; empty: they are
  bool ownKeys = false;                        ///< for an unsafe row: query and key heads are paired correctly
  std::vector<std::string> also;               ///< other names of the same checkpoint: "openai-community/gpt2"
  ModelShape shape;
  bool isSafe() const { return unsafe.empty(); }
  /// The source of a row that is in neither table; empty if it is in one of them.
  std::string source() const { return symmetry.empty() ? std::string() : symmetry.front().source; }
};

struct Published {
  std::string source;
  std::vector<PublishedModel> models;  ///< in the order of the table, then those that are only in the repository
  /// The model with this name, or null. Only letters and digits are compared, without case, and an owner before a slash
  /// is ignored: "gpt2" finds GPT2, "bert-tiny-sst2" finds nothing.
  const PublishedModel* find(std::string_view name) const;
  /// The first model of this shape, which need not be the same checkpoint; null if there is none.
  const PublishedModel* ofShape(const ModelShape& shape) const;
};

/// BadInput, without a file name, with the field that is missing or wrong.
Result<Published> parsePublished(std::string_view json);

}  // namespace sepx::attention
