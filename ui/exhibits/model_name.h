// SPDX-License-Identifier: Apache-2.0
// What a person calls a checkpoint, everywhere in the program. Looks at the file system, opens nothing; any thread.
#pragma once

#include <string>

namespace sepx::ui {

/// A shipped model, of the folder `assets`, by its name in plain words, every other as checkpoint::titleOf() says.
std::string modelName(const std::string& path, const std::string& assets);

}  // namespace sepx::ui
