// SPDX-License-Identifier: Apache-2.0
// The scores that Attention-Structure printed (Tables 4 and 5) with what a chart needs beside them: parameter counts
// and which models are encoders. Some rows are no anchor, because the code behind them did not form W_qk as the model
// does; they carry the reason. Values that stand in neither table, but as text in the authors' repository, say so.
// Parses the text of assets/published/attention_structure.json. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::attention {

/// As printed: median over the layers, and the distances of the quartiles from it.
struct PublishedValue {
  double median = 0, minus = 0, plus = 0;
  std::string source{};  ///< empty: Table 4 or 5; else where it stands instead, with the commit
  bool isPrinted() const { return source.empty(); }
};
/// Half a unit of the last digit in print.
inline constexpr double kPrintTolerance = 0.005;

/// What a config says of a checkpoint, where its name says nothing.
struct ModelShape {
  std::string modelType;  ///< of config.json; empty: unknown
  int layers = 0, d_model = 0;
  int kvHeads = 0;  ///< 0: as many as query heads, or all the same
};

struct PublishedModel {                  ///< one printed row
  enum class Kind { Encoder, Decoder };  ///< whose attention looks both ways, or back alone
  std::string name;       ///< as printed, "GPT2-XL", or with what tells checkpoints of one printed name apart
  std::string printed;    ///< as printed: "BEiT-base"
  double parameters = 0;  ///< public count, for the abscissa
  Kind kind = Kind::Encoder;
  std::string modality;                        ///< "language", "vision"
  std::vector<PublishedValue> symmetry;        ///< Table 4; several where the table has the checkpoint more than once
  std::vector<PublishedValue> directionality;  ///< Table 5, the table's sign: below 0 columns dominate
  std::string stack;                           ///< which stack of several: "decoder"; empty: the model has one
  std::string unsafe;                          ///< why a measurement is not judged by the row; empty: it is
  bool ownKeys = false;                        ///< of an unsafe row: the pairs of heads are right all the same
  std::vector<std::string> also;               ///< other names of the same checkpoint: "openai-community/gpt2"
  ModelShape shape;
  bool isSafe() const { return unsafe.empty(); }
  /// Of a row that stands in neither table; empty: it does in one.
  std::string source() const { return symmetry.empty() ? std::string() : symmetry.front().source; }
};

struct Published {
  std::string source;
  std::vector<PublishedModel> models;  ///< in the order of the table; those of the repository alone follow
  /// The model that is called so: letters and digits alone count, and an owner before a slash may be left out. Null
  /// when there is none. "gpt2" is GPT2, "bert-tiny-sst2" is nobody.
  const PublishedModel* find(std::string_view name) const;
  /// The first model of this shape, which need not be the same checkpoint; null when there is none.
  const PublishedModel* ofShape(const ModelShape& shape) const;
};

/// BadInput, without a file's name, saying which field is missing or wrong.
Result<Published> parsePublished(std::string_view json);

}  // namespace sepx::attention
