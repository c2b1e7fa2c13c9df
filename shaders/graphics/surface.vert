#version 460
// SPDX-License-Identifier: Apache-2.0
// Vertices of all surfaces of a picture (SurfaceVertex).
#extension GL_GOOGLE_include_directive : require
#include "graphics/solid.glsl"

layout(location = 0) in vec4 place;  // position, value
layout(location = 1) in vec3 direction;
layout(location = 2) in uint number;
layout(location = 0) out vec3 at;  // eye coordinates
layout(location = 1) out vec3 normal;
layout(location = 2) out float value;
layout(location = 3) out vec4 kept;  // distances from the clip planes, positive inside
layout(location = 4) out flat uvec4 style;  // of the surface (StyleRecord)
layout(location = 5) out flat vec4 scales;

void main() {
  const vec4 position = vec4(place.xyz, 1.0);
  at = vec3(dot(eyeWord(0u), position), dot(eyeWord(1u), position), dot(eyeWord(2u), position));
  normal = vec3(dot(eyeWord(3u).xyz, direction), dot(eyeWord(4u).xyz, direction), dot(eyeWord(5u).xyz, direction));
  value = place.w;
  kept = vec4(dot(eyeWord(8u), position), dot(eyeWord(9u), position), dot(eyeWord(10u), position),
              dot(eyeWord(11u), position));
  style = words[push.styles + 2u * number];
  scales = uintBitsToFloat(words[push.styles + 2u * number + 1u]);
  gl_Position = toClip(at);
}
