#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
#include "graphics/common.glsl"

layout(location = 0) in flat vec4 color;
layout(location = 1) in float coverage;
layout(location = 0) out vec4 result;

void main() { result = premultiplied(color, coverage); }
