#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) in flat vec4 color;
layout(location = 1) in float coverage;
layout(location = 0) out vec4 result;

// The clamp is not only for interpolation beyond the corners. Without it, llvmpipe (Mesa 22.3) draws whole tiles of so
// simple a shader with 8-bit code that blends them wrongly. A test checks large areas.
void main() { result = premultiplied(color, clamp(coverage, 0.0, 1.0)); }
