#version 460
// SPDX-License-Identifier: Apache-2.0
// Maps numbers to a colour scale. Interpolation is done here and not by the sampler, because a non-finite value must
// not spoil its neighbours: the nearest value decides whether the pixel is drawn, and the finite values around it
// decide its colour.
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(set = 0, binding = 1) uniform sampler2D colorTable;  // [scale, position]
layout(set = 1, binding = 0) uniform sampler2D values;
layout(location = 0) out vec4 result;

bool finite(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }

void main() {
  const vec2 offset = push.fraction + (gl_FragCoord.xy - push.rect.xy) * push.texelStep;
  const ivec2 last = textureSize(values, 0) - 1;
  const ivec2 nearest = clamp(push.texel + ivec2(floor(offset)), ivec2(0), last);
  float value = texelFetch(values, nearest, 0).r;
  if (!finite(value)) discard;
  if ((push.flags & 1u) != 0u) {
    const vec2 place = offset - 0.5;
    const ivec2 low = push.texel + ivec2(floor(place));
    const vec2 part = place - floor(place);
    float sum = 0.0, weights = 0.0;
    for (int i = 0; i < 4; ++i) {
      const ivec2 corner = ivec2(i & 1, i >> 1);
      const float here = texelFetch(values, clamp(low + corner, ivec2(0), last), 0).r;
      const vec2 share = mix(1.0 - part, part, vec2(corner));
      const float weight = finite(here) ? share.x * share.y : 0.0;
      sum += finite(here) ? weight * here : 0.0;
      weights += weight;
    }
    value = sum / weights;
  }
  const float position = clamp(value * push.law.x + push.law.y, 0.0, 1.0);
  const ivec2 entry = ivec2(int(position * 255.0 + 0.5), int((push.flags >> 1) & 7u));
  result = premultiplied(texelFetch(colorTable, entry, 0), push.opacity);
}
