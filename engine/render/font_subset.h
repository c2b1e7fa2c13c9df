// SPDX-License-Identifier: Apache-2.0
// The part of a face that a document needs, as a TrueType font of its own. No hints, no kerning: text is set from the
// plain advances (font.h). Any thread.
#pragma once

#include <set>
#include <string>

#include "engine/core/result.h"
#include "engine/render/font.h"

namespace sepx::render {

/// The same bytes for the same characters. BadInput when the font cannot be read.
Result<std::string> fontSubset(const FontFile& file, const std::set<char32_t>& characters);

}  // namespace sepx::render
