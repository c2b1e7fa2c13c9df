// SPDX-License-Identifier: Apache-2.0
// The records of engine/render as words, and functions that all shaders of the renderer share. Output colours are
// premultiplied, in sRGB encoding.
#ifndef SEPX_WORDS_GLSL
#define SEPX_WORDS_GLSL

layout(set = 0, binding = 0, std430) readonly buffer Words { uvec4 words[]; };

// Corner 0..3 of a quad as -1 or +1 in x and y.
vec2 quadCorner(int vertex) { return vec2((vertex & 1) * 2 - 1, (vertex & 2) - 1); }

vec4 premultiplied(vec4 color, float coverage) { return vec4(color.rgb, 1.0) * (color.a * coverage); }

#endif
