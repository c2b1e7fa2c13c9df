#version 460
// SPDX-License-Identifier: Apache-2.0
// Markers of a three-dimensional picture: the same outlines; what covers almost nothing leaves no depth.
#extension GL_GOOGLE_include_directive : require
#include "graphics/words.glsl"

layout(location = 0) in flat vec4 place;
layout(location = 1) in flat vec4 fillColor;
layout(location = 2) in flat vec4 edgeColor;
layout(location = 3) in flat vec2 widths;
layout(location = 4) in flat uint kind;
layout(location = 0) out vec4 result;

#include "graphics/outlines.glsl"

void main() {
  result = shapeColor();
  if (result.a < 0.02) discard;
}
