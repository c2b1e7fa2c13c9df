// SPDX-License-Identifier: Apache-2.0
// safetensors in pieces to wherever they go. Private to engine/train; files: writeSafetensors (checkpoint_writer.h).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/result.h"
#include "engine/train/checkpoint_writer.h"

namespace sepx::train {

using PieceSink = std::function<Result<void>(std::string_view)>;  ///< takes the next bytes
/// Header first, then each tensor's bytes.
Result<void> streamSafetensors(const PieceSink& sink, std::span<const TensorOut> tensors,
                               const std::map<std::string, std::string>& metadata);

}  // namespace sepx::train
