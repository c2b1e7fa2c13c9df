// SPDX-License-Identifier: Apache-2.0
// The damped Duffing oscillator x' = v, v' = x - x^3 - delta v. parameters: delta. Twin: engine/dynamics/fields/duffing.cpp.
vec2 field(vec2 x, vec4 parameters) { return vec2(x.y, x.x - x.x * x.x * x.x - parameters.x * x.y); }
