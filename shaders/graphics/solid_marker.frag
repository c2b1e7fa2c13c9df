#version 460
// SPDX-License-Identifier: Apache-2.0
// Markers of a three-dimensional picture, with the outlines of flat pictures. kPass as in tube.frag.
#extension GL_GOOGLE_include_directive : require
#include "graphics/words.glsl"

layout(constant_id = 0) const uint kPass = 0;
const float kCore = 0.8;  // as in tube.frag
layout(location = 0) in flat vec4 place;
layout(location = 1) in flat vec4 fillColor;
layout(location = 2) in flat vec4 edgeColor;
layout(location = 3) in flat vec2 widths;
layout(location = 4) in flat uint kind;
layout(location = 0) out vec4 result;

#include "graphics/outlines.glsl"

void main() {
  const float distance = shapeDistance(gl_FragCoord.xy - place.xy);
  const float coverage = clamp(0.5 - distance, 0.0, 1.0);
  result = shapeColor();
  if (result.a < 0.02 || (kPass == 1u && coverage < kCore) || (kPass == 2u && coverage >= kCore)) discard;
}
