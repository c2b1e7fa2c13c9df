// SPDX-License-Identifier: Apache-2.0
// The six groups of config fields on the page New run, the fields that belong to each block of the sketch, and the
// search for fields. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/properties/registry.h"

namespace sepx::ui {

struct OwnGroup {
  const char* word;  ///< value of `training.editor.group`
  const char* name;  ///< N_()
};
/// In the order of the page.
std::span<const OwnGroup> ownGroups();
/// The group of a field: "optimiser" for "schedule.steps".
const char* groupOfField(std::string_view place);

/// A block of the sketch, a value of `training.editor.block`, and the fields that shape it.
struct OwnBlock {
  const char *word, *name;  ///< name: N_()
  std::span<const char* const> places;
};
std::span<const OwnBlock> ownBlocks();
bool isInBlock(std::string_view block, std::string_view place);

/// Whether all words of a search occur in the label, symbol, key or help of a parameter. Ignores the case.
bool isFound(const Property& property, std::string_view search);

}  // namespace sepx::ui
