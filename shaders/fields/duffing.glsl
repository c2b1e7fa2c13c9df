// SPDX-License-Identifier: Apache-2.0
// The damped Duffing oscillator x' = v, v' = x - x^3 - delta v. parameters: delta. Twin:
// engine/dynamics/fields/duffing.cpp.
vec2 field(vec2 x, vec4 parameters) { return vec2(x.y, x.x - x.x * x.x * x.x - parameters.x * x.y); }

#define FIELD_TRAPS

// The energy relative to the saddle, and the index of the well. The twin gives the reasons.
vec2 trap(vec2 x, vec4 parameters) {
  float xx = x.x * x.x;
  return vec2(0.5 * x.y * x.y - 0.5 * xx + 0.25 * xx * xx, x.x < 0.0 ? 0.0 : 1.0);
}
