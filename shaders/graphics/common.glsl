// SPDX-License-Identifier: Apache-2.0
// What all graphics shaders share: the records of engine/render/draw_list.h as words, and the push constants of
// engine/render/pipelines.h. Positions are pixels of the target, y down. Colours leave premultiplied, in sRGB encoding.
#ifndef SEPX_COMMON_GLSL
#define SEPX_COMMON_GLSL

layout(set = 0, binding = 0, std430) readonly buffer Words { uvec4 words[]; };

layout(push_constant) uniform Push {
  vec2 toClip;       // 2 / target size
  uint base;         // first word of this kind of record, or of the palette
  uint flags;        // images: bit 0 smooth, bits 1-3 row of the colour table
  vec4 rect;         // images: left, top, right, bottom
  ivec2 texel;       // images: whole part of the position at the left top corner
  vec2 fraction;     // images: the rest of it
  vec2 texelStep;    // images: texels per pixel
  vec2 law;          // heat maps: position on the scale = value * law.x + law.y
  vec2 pageOrigin;   // pixels; hatches hang on the page
  float pixelsPerPoint;
  float opacity;
} push;

vec4 clipPosition(vec2 pixel) { return vec4(pixel * push.toClip - 1.0, 0.0, 1.0); }

// Corner 0..3 of a quad as -1 or +1 in x and y.
vec2 quadCorner(int vertex) { return vec2((vertex & 1) * 2 - 1, (vertex & 2) - 1); }

vec4 premultiplied(vec4 color, float coverage) { return vec4(color.rgb, 1.0) * (color.a * coverage); }

#endif
