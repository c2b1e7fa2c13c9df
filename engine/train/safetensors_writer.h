// SPDX-License-Identifier: Apache-2.0
// Writes safetensors in pieces to a sink. Private to engine/train; writeSafetensors() (checkpoint_writer.h) writes
// files.
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
/// Writes the header, then the bytes of each tensor.
Result<void> streamSafetensors(const PieceSink& sink, std::span<const ExportedTensor> tensors,
                               const std::map<std::string, std::string>& metadata);

}  // namespace sepx::train
