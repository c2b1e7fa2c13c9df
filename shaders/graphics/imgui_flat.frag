#version 460
// SPDX-License-Identifier: Apache-2.0
// ImGui's shapes in plain colours.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main() { result = color; }
