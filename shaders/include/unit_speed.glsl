// SPDX-License-Identifier: Apache-2.0
// f/(eps + |f|): the field per unit of arc length. Kernels follow the orbit by arc length and not by time, which makes
// stiffness and slow arrival harmless. Needs `field` of shaders/fields. Twin: engine/dynamics (kSpeedFloor).
#ifndef SEPX_UNIT_SPEED_GLSL
#define SEPX_UNIT_SPEED_GLSL

const float kSpeedFloor = 1e-9;

vec2 atUnitSpeed(vec2 f) {
  float largest = max(abs(f.x), abs(f.y));
  if (!(largest > 0.0)) return vec2(0.0);
  vec2 scaled = f / largest;  // its square never overflows
  float speed = largest * length(scaled);
  return f / (kSpeedFloor + speed);
}

vec2 unitSpeed(vec2 x, vec4 parameters) { return atUnitSpeed(field(x, parameters)); }

// Tests the bits of the exponent, because drivers may optimise comparisons as if there were no NaN.
bool isFinite(vec2 x) {
  const uint kExponent = 0x7f800000u;
  return (floatBitsToUint(x.x) & kExponent) != kExponent && (floatBitsToUint(x.y) & kExponent) != kExponent;
}

#endif
