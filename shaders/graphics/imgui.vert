#version 460
// SPDX-License-Identifier: Apache-2.0
// A vertex of ImGui's draw lists: position in points, place in the atlas, colour in sRGB encoding.
layout(push_constant) uniform Push {
  vec2 scale;  // from points to clip space
  vec2 shift;
} push;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 ink;
layout(location = 0) out vec4 color;
layout(location = 1) out vec2 at;

void main() {
  color = ink;
  at = texel;
  gl_Position = vec4(position * push.scale + push.shift, 0.0, 1.0);
}
