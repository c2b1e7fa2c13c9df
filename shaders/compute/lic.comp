// SPDX-License-Identifier: Apache-2.0
// Line integral convolution in two passes over the pixels of a window. Pass 0 samples direction and noise (the
// lattice); pass 1 follows the line through each pixel in both directions and writes the level of the pixel. One pixel
// per invocation. Compiled once per field. Twin: engine/dynamics/lic.cpp, which describes the method.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "kernel_params.h"
#include "field.glsl"
#include "philox.glsl"
#include "unit_speed.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Push { LicParams params; };

layout(std430, binding = 0) readonly buffer Weights { float weights[]; };  // 2 steps + 1
layout(std430, binding = 1) buffer Lattice { vec4 cells[]; };  // direction, noise
layout(std430, binding = 2) writeonly buffer Levels { uint levels[]; };

const uint kNoiseKey = 0x4c4943u;
const float kLeastDirection = 0.2;
const float kGrainDeviation = 0.24;
const uint kNeutral = 128u;

float grain(ivec2 at) {
  uvec2 place = params.origin + uvec2(vec2(at) / params.grain);
  uvec4 words = philox(uvec4(place.x >> 2, place.y, 0u, 0u), uvec2(params.seedLow, params.seedHigh ^ kNoiseKey));
  return float(words[place.x & 3u] >> 8) * (1.0 / 16777216.0) - 0.5;
}

vec4 sampled(ivec2 at) {
  ivec2 offset = 2 * at + 1 - ivec2(params.width, params.height);
  vec2 f = field(params.middle + params.halfPixel * vec2(offset), params.parameters) * params.perPixel;
  vec4 cell = vec4(0.0, 0.0, grain(at), 0.0);
  float size = max(abs(f.x), abs(f.y));
  if (!isFinite(f) || !(size > 0.0)) return cell;
  cell.xy = normalize(f / size);
  return cell;
}

// Direction and noise, interpolated between the centres of four pixels.
vec3 between(vec2 at) {
  ivec2 low = min(ivec2(at), max(ivec2(params.width, params.height) - 2, ivec2(0)));
  vec2 t = at - vec2(low);
  int first = low.y * int(params.width) + low.x;
  int right = params.width > 1u ? 1 : 0, down = params.height > 1u ? int(params.width) : 0;
  return mix(mix(cells[first].xyz, cells[first + right].xyz, t.x),
             mix(cells[first + down].xyz, cells[first + down + right].xyz, t.x), t.y);
}

// (sum of k n, sum of k^2) along the line in one direction, with the weights k and the noise n.
vec2 follow(vec2 at, vec2 direction, float way) {
  vec2 sums = vec2(0.0), before = direction, end = vec2(params.width, params.height) - 1.0;
  for (int k = 1; k <= int(params.steps); ++k) {
    at += 1.5 * direction - 0.5 * before;
    if (!(all(greaterThanEqual(at, vec2(0.0))) && all(lessThanEqual(at, end)))) break;
    vec3 here = between(at);
    float weight = weights[int(params.steps) + int(way) * k];
    sums += vec2(weight * here.z, weight * weight);
    before = direction;
    vec2 next = way * here.xy;
    float size = sqrt(dot(next, next));
    // The line ends, or would turn back.
    if (!(size > kLeastDirection) || dot(next, direction) <= 0.0) break;
    direction = next / size;
  }
  return sums;
}

uint level(uint pixel) {
  vec4 own = cells[pixel];
  vec2 direction = own.xy;
  if (direction == vec2(0.0)) return kNeutral;
  vec2 at = vec2(pixel % params.width, pixel / params.width);
  float weight = weights[params.steps];
  vec2 sums = vec2(weight * own.z, weight * weight) + follow(at, direction, 1.0) + follow(at, -direction, -1.0);
  if (!(sums.y > 0.0)) return kNeutral;
  float z = params.contrast * sums.x / (sqrt(sums.y) * kGrainDeviation);
  return uint(round(128.0 + 127.0 * z / sqrt(1.0 + z * z)));
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= params.count) return;
  uint pixel = params.first + index;
  if (params.convolving == 0u)
    cells[pixel] = sampled(ivec2(pixel % params.width, pixel / params.width));
  else
    levels[pixel] = level(pixel);
}
