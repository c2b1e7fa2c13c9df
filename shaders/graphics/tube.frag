#version 460
// SPDX-License-Identifier: Apache-2.0
// Coverage as in lines.frag, light as on a cylinder. A tube is drawn in one pass (kPass 0), or first as its core, which
// writes depth (1), and then as the remaining pixels, between translucent surfaces (2). Translucent segments have no
// core.
#extension GL_GOOGLE_include_directive : require
#include "graphics/solid.glsl"

layout(constant_id = 0) const uint kPass = 0;
const float kCore = 0.8;  // coverage at or above which a pixel hides what is behind it
layout(location = 0) in flat vec4 ends;
layout(location = 1) in flat vec4 normals;
layout(location = 2) in flat uvec4 style;
layout(location = 3) in flat vec3 dash;
layout(location = 4) in flat vec3 body;
layout(location = 0) out vec4 result;

// `position` along the line and `offset` across it, pixels.
float dashCoverage(float position, float offset, float halfWidth) {
  const float drawn = dash.y, period = dash.z;
  float place = mod(position, period);
  if (place > 0.5 * (drawn + period)) place -= period;
  if (drawn > 0.0) return clamp(0.5 - (abs(place - 0.5 * drawn) - 0.5 * drawn), 0.0, 1.0);
  return clamp(halfWidth + 0.5 - length(vec2(place, offset)), 0.0, 1.0);
}

void main() {
  const vec2 from = gl_FragCoord.xy - ends.xy, to = gl_FragCoord.xy - ends.zw;
  // A pixel beyond a shared plane belongs to the neighbouring segment. A zero normal keeps all pixels.
  if (dot(from, normals.xy) < 0.0 || (normals.zw != vec2(0.0) && dot(to, normals.zw) >= 0.0)) discard;
  const vec2 along = ends.zw - ends.xy;
  const float square = dot(along, along), halfWidth = uintBitsToFloat(style.x);
  const float t = square > 0.0 ? clamp(dot(from, along) / square, 0.0, 1.0) : 0.0;
  const vec2 off = from - t * along;
  const float distance = length(off);
  float coverage = clamp(halfWidth + 0.5 - distance, 0.0, 1.0);
  if (dash.z > 0.0) coverage = min(coverage, dashCoverage(dash.x + t * sqrt(square), distance, halfWidth));
  if (coverage < (kPass == 1u ? kCore : 0.02) || (kPass == 2u && body.z > 0.0 && coverage >= kCore)) discard;
  vec4 color = unpackUnorm4x8(style.w);
  if (body.y > 0.0) {
    // The normal: its part across the cylinder, and its part from the axis towards the eye, as the slope of the axis
    // allows.
    const vec2 side = off / max(halfWidth, distance);
    const float lean = inversesqrt(1.0 + body.x * body.x), front = sqrt(max(0.0, 1.0 - dot(side, side)));
    const vec2 direction = square > 0.0 ? along * inversesqrt(square) : vec2(0.0);
    const vec3 facing = vec3(vec2(-direction.x, direction.y) * body.x, 1.0) * lean;
    color.rgb = lit(vec4(color.rgb, 1.0), vec3(side.x, -side.y, 0.0) + front * facing, vec3(0.0, 0.0, 1.0)).rgb;
  }
  const vec2 fade = uintBitsToFloat(style.yz);
  result = premultiplied(color, coverage * mix(fade.x, fade.y, t));
}
