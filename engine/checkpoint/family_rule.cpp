// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/family_rule.h"

#include <array>

namespace sepx::checkpoint {

const char* toString(Fusion fusion) {
  switch (fusion) {
    case Fusion::Separate:
      return "separate";
    case Fusion::Blocks:
      return "blocks";
    case Fusion::PerHead:
      return "per-head";
  }
  return "separate";
}

std::optional<Fusion> fusionNamed(std::string_view asked) {
  for (const Fusion fusion : std::array{Fusion::Separate, Fusion::Blocks, Fusion::PerHead})
    if (asked == toString(fusion)) return fusion;
  return std::nullopt;
}

}  // namespace sepx::checkpoint
