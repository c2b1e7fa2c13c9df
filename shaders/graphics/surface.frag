#version 460
// SPDX-License-Identifier: Apache-2.0
// A pixel of a surface: its colour or the colour of its value, light on both sides, contour lines at the surface's
// contour values, and the edge at the clip planes. Derivatives make the edges of lines and clip planes one pixel wide.
#extension GL_GOOGLE_include_directive : require
#include "graphics/solid.glsl"

layout(set = 0, binding = 0, std430) readonly buffer Numbers { float numbers[]; };  // the words as floats
layout(set = 0, binding = 1) uniform sampler2D colorTable;  // [scale, position]
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 2) in float value;
layout(location = 3) in vec4 kept;
layout(location = 4) in flat uvec4 style;  // colour, ink of the contour lines, flags, index of uneven ones
layout(location = 5) in flat vec4 scales;  // colour law; value of the first contour line, step to the next
layout(location = 0) out vec4 result;

const uint kMapped = 1u, kFlat = 16u, kClipped = 32u, kUneven = 64u;

bool finite(float number) { return (floatBitsToUint(number) & 0x7f800000u) != 0x7f800000u; }

// Distance of the value from the nearest of `count` contour lines.
float contourDistance(uint count) {
  if ((style.z & kUneven) == 0u) {
    const float nearest = clamp(round((value - scales.z) / scales.w), 0.0, float(count - 1u));
    return abs(value - scales.z - nearest * scales.w);
  }
  // The first line not below the value, and the one before it.
  uint low = 0u, high = count;
  while (low < high) {
    const uint middle = (low + high) >> 1;
    if (numbers[style.w + middle] < value) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  const float above = low < count ? abs(numbers[style.w + low] - value) : 3.4e38;
  return low > 0u ? min(above, abs(value - numbers[style.w + low - 1u])) : above;
}

void main() {
  const vec2 slopes = vec2(dFdx(value), dFdy(value));
  const vec3 raw = (style.z & kFlat) != 0u ? cross(dFdx(at), dFdy(at)) : normal;
  const float inside = min(min(kept.x, kept.y), min(kept.z, kept.w)), edge = fwidth(inside);
  float coverage = 1.0;
  if ((style.z & kClipped) != 0u) {
    coverage = clamp(0.5 + (edge > 0.0 ? inside / edge : sign(inside)), 0.0, 1.0);
    if (coverage == 0.0) discard;
  }
  vec4 color = unpackUnorm4x8(style.x);
  if ((style.z & kMapped) != 0u && finite(value)) {
    const float position = clamp(value * scales.x + scales.y, 0.0, 1.0);
    color.rgb = texelFetch(colorTable, ivec2(int(position * 255.0 + 0.5), int((style.z >> 1) & 7u)), 0).rgb;
  }
  const float size = dot(raw, raw);
  const vec3 towards = push.perspective > 0.0 ? normalize(-at) : vec3(0.0, 0.0, 1.0);
  color = premultiplied(lit(color, size > 0.0 ? raw * inversesqrt(size) : towards, towards), 1.0);
  const uint count = (style.z >> 8) & 0xfffu;
  if (count > 0u) {
    const float slope = length(slopes), halfWidth = float(style.z >> 20) / 16.0;
    const float covered = slope > 0.0 ? clamp(halfWidth + 0.5 - contourDistance(count) / slope, 0.0, 1.0) : 0.0;
    const vec4 line = premultiplied(unpackUnorm4x8(style.y), min(covered, 2.0 * halfWidth));
    color = line + color * (1.0 - line.a);
  }
  result = color * coverage;
}
