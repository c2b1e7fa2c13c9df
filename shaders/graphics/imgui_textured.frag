#version 460
// SPDX-License-Identifier: Apache-2.0
// ImGui's shapes that use its atlas: glyphs, pictures, thin lines.
layout(set = 0, binding = 0) uniform sampler2D atlas;
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 at;
layout(location = 0) out vec4 result;

void main() { result = color * texture(atlas, at); }
