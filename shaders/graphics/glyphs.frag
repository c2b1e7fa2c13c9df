#version 460
// SPDX-License-Identifier: Apache-2.0
// Reads the coverage directly from the atlas, one texel per pixel.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(set = 0, binding = 2) uniform sampler2D atlas;
layout(location = 0) in flat vec4 place;
layout(location = 1) in flat ivec3 source;
layout(location = 2) in flat vec4 color;
layout(location = 0) out vec4 result;

void main() {
  const ivec2 at = ivec2(gl_FragCoord.xy - place.xy);
  // Rotated text reads upwards: the columns of the glyph run from bottom to top.
  const ivec2 texel = source.z == 0 ? at : ivec2(int(place.w) - 1 - at.y, at.x);
  result = premultiplied(color, texelFetch(atlas, source.xy + texel, 0).r);
}
