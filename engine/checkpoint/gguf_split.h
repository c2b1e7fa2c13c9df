// SPDX-License-Identifier: Apache-2.0
// GGUF files split by their writer, "name-00001-of-00003.gguf": the parts beside one another make one checkpoint.
// Private to engine/checkpoint; any thread.
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

/// By the file's name; nothing when it is not a part.
std::optional<GgufPart> ggufPart(const std::string& path);

/// readGguf(), and for a part all the others too, from the same folder.
Result<Contents> readSplitGguf(std::shared_ptr<const MappedFile> file);

}  // namespace sepx::checkpoint
