// SPDX-License-Identifier: Apache-2.0
// Shared by the shaders of flat pictures: the records of engine/render/draw_list.h as words, and the push constants of
// engine/render/pipelines.h. Positions are pixels of the target, y down. Output colours are premultiplied, in sRGB
// encoding.
#ifndef SEPX_COMMON_GLSL
#define SEPX_COMMON_GLSL

#include "graphics/words.glsl"

layout(push_constant) uniform Push {
  vec2 toClip;       // 2 / target size
  uint base;         // first word of this kind of record, or of the palette
  uint flags;        // images: bit 0 smooth, bits 1-3 row of the colour table
  vec4 rect;         // images: left, top, right, bottom
  ivec2 texel;       // images: integer part of the position at the top left corner
  vec2 fraction;     // images: fractional part of it
  vec2 texelStep;    // images: texels per pixel
  vec2 law;          // heat maps: position on the scale = value * law.x + law.y
  vec2 pageOrigin;   // pixels; hatches are fixed to the page
  float pixelsPerPoint;
  float opacity;
} push;

vec4 clipPosition(vec2 pixel) { return vec4(pixel * push.toClip - 1.0, 0.0, 1.0); }

#endif
