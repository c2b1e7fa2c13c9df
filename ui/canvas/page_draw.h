// SPDX-License-Identifier: Apache-2.0
// Lines, boxes and sentences for pages and charts, and functions that fit text to a width. Lengths are in points of the
// page. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

void append(std::vector<render::Item>& items, std::vector<render::Item> more);
/// A straight line on the page.
render::Polyline pageLine(render::Point a, render::Point b, render::Color color, float width = 1,
                          render::Dash dash = render::Dash::Solid);
/// A filled rectangle on the page.
render::Fill pageFill(const render::Rect& box, render::Color color);
/// The outline of a rectangle.
render::Polyline pageFrameLine(const render::Rect& box, render::Color color, float width = 1);
/// The position of a tooltip box of this size beside the point `at`, inside `area`.
render::Rect tipBox(render::Point at, double width, double height, const render::Rect& area);
/// Lines of text in a box beside `at`, kept inside `area`.
void addTip(std::vector<render::Item>& items, render::Point at, const std::vector<std::string>& lines,
            const render::Rect& area, const Theme& theme);
/// A sentence in the middle of `area`, broken into lines that fit. In a small area it uses small type and is cut after
/// the last line that fits. Returns the height used.
double addSentence(std::vector<render::Item>& items, const render::Rect& area, const std::string& text,
                   const Theme& theme);
/// Breaks text into lines of at most `width` points. A longer word is broken too, after a / or _ if it has one.
std::vector<std::string> wrapped(const std::string& text, double size, double width);
/// The text, or its beginning with an ellipsis, in at most `width` points. The cut is noted (see cut_texts.h). Empty if
/// not even the ellipsis fits.
std::string elided(const std::string& text, double size, double width);
/// `text` with the first `mark` ("{n}") in it replaced by `value`. Placeholders let translations change the order of
/// words.
std::string filled(std::string text, const std::string& mark, const std::string& value);
/// The translated text with a capital first letter and a full stop. Sentences of engine/ begin in lower case and end
/// without a full stop.
std::string sentenceCase(std::string text);

}  // namespace sepx::ui
