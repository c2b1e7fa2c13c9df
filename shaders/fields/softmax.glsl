// SPDX-License-Identifier: Apache-2.0
// The canonical model with softmax attention after long sequences: gradient flow of Lambda(S). parameters: p, q, v, k.
// Twin: engine/markov/softmax_scalar.cpp.
#include "canonical.glsl"
#include "kernel_params.h"

// (h, dh/dt) of h = (bit + v tanh(x))/2, where dx/dt = `sign`.
vec2 softmaxBranch(float x, float sign, float bit, float v) {
  float far = exp(-2.0 * abs(x)), tanhx = (x < 0.0 ? -1.0 : 1.0) * (1.0 - far) / (1.0 + far);
  if (abs(x) < 0.05) tanhx = x * (1.0 - x * x * (1.0 / 3.0 - x * x * (2.0 / 15.0)));
  return vec2(0.5 * (bit + v * tanhx), sign * v * 2.0 * far / ((1.0 + far) * (1.0 + far)));
}

vec2 litPart(vec2 h) { return h.x > 0.0 ? h : vec2(0.0); }

// S/e^2 with its derivative with respect to t, and the factor of the ReLU term in it.
void softmaxParts(vec2 x, vec4 parameters, out vec2 whole, out vec2 lit) {
  float t = 0.25 * parameters.w * x.x * x.x, m = 0.5 * log(parameters.x / parameters.y);
  vec2 one = softmaxBranch(t + m, 1.0, 1.0, parameters.z), zero = softmaxBranch(m - t, -1.0, -1.0, parameters.z);
  lit = x.x < 0.0 ? litPart(-zero) - litPart(-one) : litPart(one) - litPart(zero);
  whole = one - zero + 4.0 * x.y * abs(x.y) * lit;
}

vec2 field(vec2 x, vec4 parameters) {
  vec2 whole, lit;
  softmaxParts(x, parameters, whole, lit);
  float ee = x.x * x.x;
  vec2 slope = vec2(2.0 * x.x * whole.x + 0.5 * parameters.w * ee * x.x * whole.y, 8.0 * ee * abs(x.y) * lit.x);
  return -lambdaPrime(ee * whole.x, parameters.x, parameters.y) * slope;
}

#define FIELD_INVARIANT bvec2(false, true)
#define FIELD_CLASSIFIES

// The limit that an orbit at `x` is certain to reach. The twin gives the reasons.
int classify(vec2 start, vec2 x, vec4 parameters) {
  float switching = parameters.x + parameters.y - 1.0;
  if (abs(switching) < 2e-7 || parameters.z < 0.0) return SEPX_UNDECIDED;
  vec2 whole, lit;
  softmaxParts(x, parameters, whole, lit);
  if (x.x * x.x * whole.x * switching < 0.0) return SEPX_GLOBAL_MIN;
  softmaxParts(vec2(x.x < 0.0 ? -1e-30 : 0.0, x.y), parameters, whole, lit);
  float attracting = switching * whole.x;
  if (x.x == 0.0) return attracting > 0.0 ? SEPX_LOCAL_MIN : SEPX_LOCAL_MAX;
  bool near = abs(x.x) < 1e-3 && abs(parameters.w) * x.x * x.x < 1e-3;
  if (near && attracting > 0.0 && abs(whole.x) > 4.0 * abs(x.x)) return SEPX_LOCAL_MIN;
  return SEPX_UNDECIDED;
}
