// SPDX-License-Identifier: Apache-2.0
// Lines, boxes and sentences that pages and charts draw, and texts cut to a width. Lengths are points of the page.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

void append(std::vector<render::Item>& items, std::vector<render::Item> more);
/// A line on the page.
render::Polyline pageLine(render::Point a, render::Point b, render::Color color, float width = 1,
                          render::Dash dash = render::Dash::Solid);
/// A filled rectangle on the page.
render::Fill pageFill(const render::Rect& box, render::Color color);
/// The edge of a rectangle.
render::Polyline pageFrameLine(const render::Rect& box, render::Color color, float width = 1);
/// Where a box of this size stands beside a place that is pointed at, inside `area`.
render::Rect tipBox(render::Point at, double width, double height, const render::Rect& area);
/// Lines of text in a box beside `at`, kept inside `area`.
void addTip(std::vector<render::Item>& items, render::Point at, const std::vector<std::string>& lines,
            const render::Rect& area, const Theme& theme);
/// A sentence in the middle of `area`, broken into lines that fit, in a small area in small type and cut after the last
/// line that fits; answers the height used.
double addSentence(std::vector<render::Item>& items, const render::Rect& area, const std::string& text,
                   const Theme& theme);
/// Lines of at most `width` points; a longer word is broken, at a / or _ where it has one.
std::vector<std::string> wrapped(const std::string& text, double size, double width);
/// The text, or its beginning with an ellipsis (which is noted, see cut_texts.h), in at most `width` points; empty
/// where not even that has room.
std::string elided(const std::string& text, double size, double width);
/// `text` with the first `mark` ("{n}") in it replaced: words may stand in another order in another language.
std::string filled(std::string text, const std::string& mark, const std::string& value);
/// With a capital first letter and a full stop: sentences of engine/ begin small and end without.
std::string sentenceCase(std::string text);

}  // namespace sepx::ui
