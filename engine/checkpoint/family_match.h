// SPDX-License-Identifier: Apache-2.0
// Names of tensors against the patterns of a rule: "h.{layer}.attn.c_attn.weight" stands behind any prefix that ends
// with a dot. Quick for a million tensors; immutable; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

inline constexpr std::string_view kLayerMark = "{layer}";  ///< stands for the layer's number in a pattern

class NameIndex {  ///< the tensors of a checkpoint by the end of their names
 public:
  /// `checkpoint` must outlive this.
  explicit NameIndex(const Checkpoint& checkpoint);

  struct Found {              ///< one match of a pattern
    std::string prefix;       ///< before the pattern, with its dot; may be empty
    std::int64_t number = 0;  ///< the layer's, as the name has it; 0 where the pattern has no mark
    const TensorInfo* tensor = nullptr;
  };
  /// Everything that fits, in the order of the checkpoint's list.
  std::vector<Found> find(std::string_view pattern) const;
  bool has(std::string_view pattern) const { return !find(pattern).empty(); }
  /// The tensor of a layer behind a known prefix; null when there is none or the pattern is empty.
  const TensorInfo* at(const std::string& prefix, std::string_view pattern, std::int64_t number) const;
  /// A name without a mark behind any prefix: the one whose prefix shares most with `near`; null when there is none.
  const TensorInfo* nearest(std::string_view pattern, std::string_view near) const;

 private:
  const Checkpoint* checkpoint_;
  /// By the last two words of the name. No hash: names could be chosen that share one.
  std::map<std::string_view, std::vector<const TensorInfo*>> byEnd_;
};

/// "h.3.attn.c_attn.weight" of the pattern and 3; `shown` puts any text in the place of the mark.
std::string filled(std::string_view pattern, std::string_view shown);

}  // namespace sepx::checkpoint
