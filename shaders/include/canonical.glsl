// SPDX-License-Identifier: Apache-2.0
// The canonical model of Local-to-Global in single precision: Lambda'(S) with L(theta) = Lambda(S), in the stable forms
// of engine/markov/lambda.cpp. Logarithms are used throughout, so that no S overflows.
#ifndef SEPX_CANONICAL_GLSL
#define SEPX_CANONICAL_GLSL

float logAddExp(float a, float b) { return max(a, b) + log(1.0 + exp(-abs(a - b))); }

// exp(x) - 1 without cancellation near 0.
float expm1Stable(float x) {
  if (abs(x) > 0.4) return exp(x) - 1.0;
  return x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x / 720.0)))));
}

// c(S) = b* - e^2/2 [Lemma 5]
float canonicalC(float S, float p, float q) {
  if (p == q) return -0.5 * S;
  float logDifference = log(abs(p - q));
  float logD = 0.5 * logAddExp(2.0 * logDifference, log(4.0 * p * q) + S);
  if (p < q) return log(2.0 * p) - logAddExp(logD, logDifference);
  return logAddExp(logD, logDifference) - log(2.0 * q) - S;
}

// dLambda/dS = -pi0 (sigma(c) - p); the difference is taken without cancellation near S*, where it vanishes.
float lambdaPrime(float S, float p, float q) {
  float c = canonicalC(S, p, q);
  float x = log(p / (1.0 - p)) - c;
  float sigma = 1.0 / (1.0 + exp(min(-c, 80.0)));
  float f2 = abs(x) < 1.0 ? -sigma * (1.0 - p) * expm1Stable(x) : sigma - p;
  return -q / (p + q) * f2;
}

// -dLambda/dS within 1e-6, by u = exp(c) = 2r/(D + 1 - r) = (D + r - 1)/(2A), A = exp(S), r = p/q, D^2 = (r-1)^2 + 4rA:
// the form that does not cancel is taken. Beyond |S| = 60 the slope has reached its limits.
float fastSlope(float S, float p, float q) {
  float r = p / q, A = exp(clamp(S, -60.0, 60.0));
  float D = sqrt((r - 1.0) * (r - 1.0) + 4.0 * r * A);
  float u = r > 1.0 ? (D + (r - 1.0)) / (2.0 * A) : 2.0 * r / (D + (1.0 - r));
  return q / (p + q) * (u / (1.0 + u) - p);
}

#endif
