// SPDX-License-Identifier: Apache-2.0
// GGUF files split by the program that wrote them, "name-00001-of-00003.gguf": the parts in one folder are one
// checkpoint. Private to engine/checkpoint; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

struct GgufPart {    ///< what the name of a part says
  std::string stem;  ///< "name"
  int number = 1, count = 1;
};

/// Parses the file name; empty if it is not that of a part.
std::optional<GgufPart> ggufPart(const std::string& path);

/// Like readGguf(), but for a part also reads all other parts from the same folder.
Result<Contents> readSplitGguf(std::shared_ptr<const MappedFile> file);

}  // namespace sepx::checkpoint
