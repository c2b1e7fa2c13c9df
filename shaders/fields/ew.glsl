// SPDX-License-Identifier: Apache-2.0
// The canonical model in (e,w): gradient flow of L = Lambda(S), S = e^2 v, v = 1 + 2 w|w|. parameters: p, q.
// Twin: engine/markov/canonical_field.cpp.
#include "canonical.glsl"
#include "kernel_params.h"

vec2 field(vec2 x, vec4 parameters) {
  float v = 1.0 + 2.0 * x.y * abs(x.y);
  float S = x.x * x.x * v;
  return -lambdaPrime(S, parameters.x, parameters.y) * vec2(2.0 * x.x * v, 4.0 * x.x * x.x * abs(x.y));
}

#define FIELD_FAST

// As `field`, with one exponential, accurate to 1e-6. For pictures. Twin: engine/markov/canonical_many.cpp.
vec2 fastField(vec2 x, vec4 parameters) {
  float v = 1.0 + 2.0 * x.y * abs(x.y), ee = x.x * x.x;
  return fastSlope(ee * v, parameters.x, parameters.y) * vec2(2.0 * x.x * v, 4.0 * ee * abs(x.y));
}

#define FIELD_INVARIANT bvec2(false, true)
#define FIELD_CLASSIFIES

// The limit that an orbit at `x` is certain to reach. The twin gives the reasons.
int classify(vec2 start, vec2 x, vec4 parameters) {
  float switching = parameters.x + parameters.y - 1.0;
  if (abs(switching) < 2e-7) return SEPX_UNDECIDED;  // p + q = 1 as far as single precision can tell
  float v = 1.0 + 2.0 * x.y * abs(x.y);
  // S and S* (whose sign is that of -switching) are on the same side of 0.
  if (x.x * x.x * v * switching < 0.0) return SEPX_GLOBAL_MIN;
  float attracting = switching * v;  // the sign of the curvature across e = 0 (36)
  if (x.x == 0.0) return abs(v) < 1e-6 ? SEPX_SADDLE : attracting > 0.0 ? SEPX_LOCAL_MIN : SEPX_LOCAL_MAX;
  if (abs(x.x) < 1e-3 && attracting > 0.0 && abs(v) > 4.0 * abs(x.x)) return SEPX_LOCAL_MIN;
  return SEPX_UNDECIDED;
}
