// SPDX-License-Identifier: Apache-2.0
// Formats numbers, texts, colours and bytes for an SVG document, as valid XML and independent of the locale. Pure; any
// thread.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/render/scene.h"

namespace sepx::render::svg {

/// Three decimals, without trailing zeros.
std::string num(double value);
/// Text for elements and attributes: markup is escaped, and characters that XML does not allow are replaced.
std::string escaped(std::string_view text);
std::string base64(std::string_view bytes);
/// ` fill="#rrggbb" fill-opacity="0.5"`, the opacity only if it is below 1. `alpha`: factor for the colour's alpha.
std::string paint(const char* what, const Color& color, double alpha = 1);

/// A style element with the used characters of the faces, so that the document looks the same where the families are
/// not installed. Empty when nothing is used.
std::string fontFaces(const std::set<char32_t>& regular, const std::set<char32_t>& bold);
/// Only the rules, without the element.
std::string fontFaceRules(const std::set<char32_t>& regular, const std::set<char32_t>& bold);
/// Value of the attribute font-family: the families in the order in which characters are searched for.
std::string familyNames();
/// Weight of bold text, as in CSS.
int boldWeight();

}  // namespace sepx::render::svg
