// SPDX-License-Identifier: Apache-2.0
// The six groups in which the fields of a config stand on the page of a new run, which fields belong to a block of the
// sketch, and what a search finds. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ui/properties/registry.h"

namespace sepx::ui {

struct OwnGroup {
  const char* word;  ///< of `training.editor.group`
  const char* name;  ///< N_()
};
/// In the order of the page.
std::span<const OwnGroup> ownGroups();
/// The group of a field: "optimiser" of "schedule.steps".
const char* groupOfField(std::string_view place);

/// A block of the sketch, as `training.editor.block` has it, and the fields that shape it.
struct OwnBlock {
  const char *word, *name;  ///< name: N_()
  std::span<const char* const> places;
};
std::span<const OwnBlock> ownBlocks();
bool isInBlock(std::string_view block, std::string_view place);

/// Whether all words of a search are in label, key or help of a parameter, whatever their case.
bool isFound(const Property& property, std::string_view search);

}  // namespace sepx::ui
