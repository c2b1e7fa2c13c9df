#version 460
// SPDX-License-Identifier: Apache-2.0
// A place of a surface: its colour or the colour of its value, light from both sides, contour lines where the value is one
// of the surface's, and the edge of the clip planes; both edges over one pixel by derivatives.
#extension GL_GOOGLE_include_directive : require
#include "graphics/solid.glsl"

layout(set = 0, binding = 1) uniform sampler2D colorTable;  // [scale, position]
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in vec4 kept;
layout(location = 4) in flat uint surface;
layout(location = 0) out vec4 result;

const uint kMapped = 1u, kFlat = 16u, kClipped = 32u;

bool finite(float number) { return (floatBitsToUint(number) & 0x7f800000u) != 0x7f800000u; }

// Coverage of the pixel by the nearest contour line; `slope`: change of the value over a pixel.
float contourCoverage(uint first, uint count, float halfWidth, float slope) {
  float nearest = 3.4e38;
  for (uint i = 0u; i < count; ++i) {
    const uint number = first + i;
    nearest = min(nearest, abs(value - uintBitsToFloat(words[number >> 2][number & 3u])));
  }
  return slope > 0.0 ? clamp(halfWidth + 0.5 - nearest / slope, 0.0, 1.0) : 0.0;
}

void main() {
  const uvec4 style = words[push.styles + 2u * surface];
  const uvec4 more = words[push.styles + 2u * surface + 1u];
  const vec2 slopes = vec2(dFdx(value), dFdy(value));
  const vec3 across = cross(dFdx(at), dFdy(at));
  const float inside = min(min(kept.x, kept.y), min(kept.z, kept.w));
  const float edge = fwidth(inside);
  float coverage = 1.0;
  if ((style.z & kClipped) != 0u) {
    coverage = clamp(0.5 + (edge > 0.0 ? inside / edge : sign(inside)), 0.0, 1.0);
    if (coverage == 0.0) discard;
  }
  vec4 color = unpackUnorm4x8(style.x);
  if ((style.z & kMapped) != 0u && finite(value)) {
    const float position = clamp(value * uintBitsToFloat(more.x) + uintBitsToFloat(more.y), 0.0, 1.0);
    color.rgb = texelFetch(colorTable, ivec2(int(position * 255.0 + 0.5), int((style.z >> 1) & 7u)), 0).rgb;
  }
  const vec3 raw = (style.z & kFlat) != 0u ? across : normal;
  const float size = dot(raw, raw);
  const vec3 towards = perspective() ? normalize(-at) : vec3(0.0, 0.0, 1.0);
  color = lit(color, size > 0.0 ? raw * inversesqrt(size) : towards, towards);
  color = premultiplied(color, 1.0);
  if (style.w > 0u) {
    const vec4 ink = unpackUnorm4x8(style.y);
    const vec4 line = premultiplied(ink, contourCoverage(more.w, style.w, uintBitsToFloat(more.z), length(slopes)));
    color = line + color * (1.0 - line.a);
  }
  result = color * coverage;
}
