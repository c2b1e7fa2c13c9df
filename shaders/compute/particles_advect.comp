// SPDX-License-Identifier: Apache-2.0
// Moves every particle of a cloud by one step and counts it on its pixel. One particle per invocation. Compiled once
// per field. Twin: engine/dynamics/particles.cpp, which describes the rules. Moving and counting in one dispatch saves
// a pass through memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "kernel_params.h"
#include "field.glsl"
#include "particles.glsl"
#include "philox.glsl"
#include "unit_speed.glsl"

layout(local_size_x_id = 0) in;
layout(push_constant, std430) uniform Push { ParticlesParams params; };
layout(std430, binding = 0) readonly buffer Attractors { vec2 attractors[]; };
layout(std430, binding = 1) buffer Particles { Particle particles[]; };
layout(std430, binding = 2) buffer Counts { uint counts[]; };
layout(std430, binding = 3) buffer Tallies { uint tallies[]; };

#ifdef FIELD_FAST
vec2 velocity(vec2 x) { return fastField(x, params.parameters); }
#else
vec2 velocity(vec2 x) { return field(x, params.parameters); }
#endif

float product(vec2 a, vec2 b) { return dot(a * params.heights, b * params.heights); }

vec2 startOf(uint index, uint life) {
  uvec4 words = philox(uvec4(index, life, 0u, 0u), uvec2(params.seedLow, params.seedHigh ^ kParticleKey));
  vec2 uniforms = (vec2(words.xy >> 8) + 0.5) * (1.0 / 16777216.0);
  if (params.gauss == 0u) return params.homeMin + uniforms * params.homeSize;
  float angle = 6.28318530718 * uniforms.y;
  return params.sigma * sqrt(-2.0 * log(uniforms.x)) * vec2(cos(angle), sin(angle));
}

uint endOf(vec2 start, vec2 x) {
#ifdef FIELD_CLASSIFIES
  return uint(classify(start, x, params.parameters));
#else
#ifdef FIELD_TRAPS
  if (params.attractorCount > 0u) {
    vec2 trapped = trap(x, params.parameters);
    if (trapped.x < 0.0) return SEPX_ATTRACTOR + uint(trapped.y);
  }
#endif
  for (uint i = 0; i < params.attractorCount; ++i)
    if (distance(x, attractors[i]) < params.attractorRadius) return SEPX_ATTRACTOR + i;
  return SEPX_UNDECIDED;
#endif
}

bool outside(vec2 x) {
  vec2 from = (x - params.corner) * params.pixels - 0.5 * vec2(params.width, params.height);
  return !isFinite(x) || abs(from.x) > kLeftWindows * float(params.width) ||
         abs(from.y) > kLeftWindows * float(params.height);
}

// Moves `x` by one step. `rests`: whether the particle is at rest there; `lost`: whether the field is not finite.
void moved(inout vec2 x, out bool rests, out bool lost) {
  vec2 f1 = velocity(x);
  rests = f1 == vec2(0.0);
  lost = !isFinite(f1);
  if (rests || lost) return;
  float speed = sqrt(product(f1, f1));
  float h = params.unitSpeed == 1u ? min(params.amount, kFarthestStep) / speed
                                   : params.amount / (1.0 + params.amount / kFarthestStep * speed);
  vec2 f2 = velocity(x + 0.5 * h * f1);
  lost = !isFinite(f2);
  if (lost) return;
  float along = product(f1, f2);
  bool turns = along <= 0.0;
  vec2 way = turns ? 0.5 * h * speed * speed / (speed * speed - along) * f1 : h * f2;
  float size = sqrt(product(way, way));
  x += size > 2.0 * kFarthestStep ? 2.0 * kFarthestStep / size * way : way;
  rests = turns || size < params.rest;
}

void count(ivec2 at, uint weight) {
  if (at.x < 0 || at.y < 0 || at.x >= int(params.width) || at.y >= int(params.height)) return;
  atomicAdd(counts[at.y * int(params.width) + at.x], weight);
}

void splat(vec2 x) {
  vec2 at = (x - params.corner) * params.pixels;
  if (!isFinite(at) || any(lessThan(at, vec2(-1.0))) || any(greaterThan(at, vec2(params.width, params.height) + 1.0)))
    return;
  ivec2 pixel = ivec2(floor(at));
  count(pixel, kSplatUnit);
  if (params.splatReach == 0u) return;
  for (int side = -1; side <= 1; side += 2) {
    count(pixel + ivec2(side, 0), kSplatUnit / 2u);
    count(pixel + ivec2(0, side), kSplatUnit / 2u);
    count(pixel + ivec2(side, -1), kSplatUnit / 4u);
    count(pixel + ivec2(side, 1), kSplatUnit / 4u);
  }
}

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (params.starting == 1u && index <= kParticleLabels) tallies[index] = index == 0u ? params.count : 0u;
  if (index >= params.count) return;
  if (params.starting == 1u) {
    vec2 at = startOf(index, 0u);
    particles[index] = Particle(at.x, at.y, 0u);
    return;
  }
  Particle particle = particles[index];
  vec2 x = vec2(particle.x, particle.y);
  if (params.starting == 2u) {
    splat(x);
    return;
  }
  uint age = min((particle.word & kOldest) + 1u, kOldest), life = particle.word >> 12 & (kLives - 1u);
  uint label = particle.word >> 23 & 0xffu;
  bool wasResting = particle.word >> 31 != 0u, rests = wasResting, left = false;
  if (!rests) {
    bool lost;
    moved(x, rests, lost);
    left = lost || outside(x);
    if (life == 0u && label == 0u && !left && (rests || (index + age) % kJudgeEvery == 0u)) {
      label = endOf(startOf(index, 0u), x);
      if (label != 0u) {
        atomicAdd(tallies[0], 0xffffffffu);
        atomicAdd(tallies[min(label, kParticleLabels - 1u)], 1u);
      }
    }
    // In a first life whose end is not yet known, a particle at rest counts as merely slow.
    if (rests && life == 0u && label == 0u && age < kOldest) rests = false;
    if (rests) age = 0u;
  }
  uint spread = (index * 0x9E3779B9u + life * 0x85EBCA6Bu) >> 16;
  bool over = left || (rests && age >= kRestSteps + spread % kRestSpread) ||
              (!rests && (life > 0u || label != 0u) && age >= kLifeSteps + spread % kLifeSpread);
  if (params.respawn == 1u && over) {
    life = (life + 1u) & (kLives - 1u);
    age = 0u;
    rests = false;
    x = startOf(index, life);
  } else if (left) {
    rests = true;
  }
  if (rests != wasResting) atomicAdd(tallies[kParticleLabels], rests ? 1u : 0xffffffffu);
  particles[index] = Particle(x.x, x.y, age | life << 12 | label << 23 | (rests ? 0x80000000u : 0u));
  splat(x);
}
