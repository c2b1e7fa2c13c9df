// SPDX-License-Identifier: Apache-2.0
// Shared by the shaders of three-dimensional pictures: their push constants, the words of the eye (EyeRecord in
// engine/render/solid_list.h) and the light, whose twin is lit() in engine/render/projection3.cpp.
#ifndef SEPX_SOLID_GLSL
#define SEPX_SOLID_GLSL

#include "graphics/words.glsl"

layout(push_constant) uniform Push {
  vec2 toClip;       // 2 / picture size
  uint eye;          // first word of the eye
  uint styles;       // first word of the surfaces' styles
  vec3 light;        // direction to the light, eye coordinates
  float perspective; // 1: perspective, 0: parallel
  uint base;         // first word of tubes or markers
} push;

vec4 eyeWord(uint i) { return uintBitsToFloat(words[push.eye + i]); }

vec4 toClip(vec3 at) {
  const vec4 scale = eyeWord(6u), depth = eyeWord(7u);
  const float w = depth.w - at.z * depth.z;
  return vec4(scale.x * at.x + scale.z * w, scale.w * w - scale.y * at.y, depth.y - depth.x * at.z, w);
}

vec4 lit(vec4 color, vec3 normal, vec3 towards) {
  const vec3 light = push.light;
  const float facing = dot(normal, towards), side = facing < 0.0 ? -1.0 : 1.0;
  const vec3 between = light + towards;
  const float diffuse = 0.75 + 0.25 * side * dot(normal, light);
  float shine = max(0.0, side * dot(normal, between) * inversesqrt(max(dot(between, between), 1e-12)));
  shine *= shine;
  shine *= shine;
  shine *= shine;
  shine *= shine;
  const float slant = 1.0 - min(1.0, abs(facing));
  return vec4(min(color.rgb * diffuse + 0.12 * shine, 1.0), color.a * (1.0 + (1.0 - color.a) * slant * slant));
}

#endif
