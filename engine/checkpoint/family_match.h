// SPDX-License-Identifier: Apache-2.0
// Matches names of tensors with the patterns of a rule: "h.{layer}.attn.c_attn.weight" may follow any prefix that ends
// with a dot or a slash. Fast for a million tensors; immutable; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

inline constexpr std::string_view kLayerMark = "{layer}";  ///< placeholder for the layer's number in a pattern

class NameIndex {  ///< index of the tensors of a checkpoint by the end of their names
 public:
  /// `checkpoint` must outlive this.
  explicit NameIndex(const Checkpoint& checkpoint);

  struct Found {              ///< one match of a pattern
    std::string prefix;       ///< what precedes the pattern, with its last dot; may be empty
    std::int64_t number = 0;  ///< the layer's number in the name; 0 if the pattern has no placeholder
    const TensorInfo* tensor = nullptr;
  };
  /// All matches, in the order of the checkpoint's list.
  std::vector<Found> find(std::string_view pattern) const;
  bool has(std::string_view pattern) const { return !find(pattern).empty(); }
  /// The tensor of a layer with a known prefix; null if there is none or the pattern is empty.
  const TensorInfo* at(const std::string& prefix, std::string_view pattern, std::int64_t number) const;
  /// For a pattern without placeholder: the match whose prefix shares most with `near`; null if there is none.
  const TensorInfo* nearest(std::string_view pattern, std::string_view near) const;

 private:
  const Checkpoint* checkpoint_;
  /// By the last two words of the name. Not a hash table, because the names in a file could be chosen to collide.
  std::map<std::string_view, std::vector<const TensorInfo*>> byEnd_;
};

/// The pattern with its placeholder replaced by `shown`: "h.3.attn.c_attn.weight" for "3".
std::string filled(std::string_view pattern, std::string_view shown);

}  // namespace sepx::checkpoint
