// SPDX-License-Identifier: Apache-2.0
// Makes a TrueType font of only those characters of a face that a document needs. No hinting and no kerning: text is
// set with the plain advances (font.h). Any thread.
#pragma once

#include <set>
#include <string>

#include "engine/core/result.h"
#include "engine/render/font.h"

namespace sepx::render {

/// The same characters give the same bytes. BadInput when the font cannot be read.
Result<std::string> fontSubset(const FontFile& file, const std::set<char32_t>& characters);

}  // namespace sepx::render
