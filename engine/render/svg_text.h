// SPDX-License-Identifier: Apache-2.0
// The words of an SVG document: numbers, texts, colours and bytes as XML may hold them, the same in every locale. Pure;
// any thread.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/render/scene.h"

namespace sepx::render::svg {

/// Three decimals without trailing zeros.
std::string num(double value);
/// For elements and attributes: markup escaped, what XML cannot hold replaced.
std::string escaped(std::string_view text);
std::string base64(std::string_view bytes);
/// ` fill="#rrggbb" fill-opacity="0.5"`, the opacity only where it matters. `alpha`: a factor on the colour's.
std::string paint(const char* what, const Color& color, double alpha = 1);

/// Faces as far as they are used, for an element style, so that the document looks the same where the families are not
/// installed; empty where nothing is used.
std::string fontFaces(const std::set<char32_t>& regular, const std::set<char32_t>& bold);
/// The rules alone, without the element.
std::string fontFaceRules(const std::set<char32_t>& regular, const std::set<char32_t>& bold);
/// For the attribute font-family: in the order in which characters are looked for.
std::string familyNames();
/// Of bold text, as CSS counts.
int boldWeight();

}  // namespace sepx::render::svg
