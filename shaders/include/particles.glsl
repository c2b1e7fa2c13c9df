// SPDX-License-Identifier: Apache-2.0
// Constants and the packed word of a particle, as in engine/dynamics/particles.h: age 12 bits, life 11, end of the
// first life 8, rest 1.
#ifndef SEPX_PARTICLES_GLSL
#define SEPX_PARTICLES_GLSL

const float kFarthestStep = 0.02;
const float kLeftWindows = 4.0;
const uint kJudgeEvery = 8u;
const uint kSplatUnit = 16u;
const uint kParticleLabels = 16u;  // the word after them counts the particles at rest
const uint kRestSteps = 40u, kRestSpread = 64u, kLifeSteps = 900u, kLifeSpread = 1024u;
const uint kOldest = 4095u, kLives = 2048u;
const uint kParticleKey = 0x5051u;

struct Particle {
  float x, y;
  uint word;
};

#endif
