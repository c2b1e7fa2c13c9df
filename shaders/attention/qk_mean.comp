// SPDX-License-Identifier: Apache-2.0
// Averages the rows of a factor that belong to each row of a picture: the mean of a block of W_Q W_K^T is the product
// of such averages. One invocation adds its share of four terms to one average, which already contains the shares of
// the rows of earlier dispatches. Twin: engine/attention/tiles.cpp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "qk_params.h"

layout(local_size_x = 32, local_size_y = 8) in;
layout(push_constant, std430) uniform Push { QkMeanParams params; };
layout(std430, binding = 0) readonly buffer Input { vec4 rows[]; };
layout(std430, binding = 1) buffer Output { vec4 averages[]; };

void main() {
  uint term = gl_GlobalInvocationID.x, index = gl_GlobalInvocationID.y;
  if (term >= params.depth || index >= params.averages) return;
  uint begin = (params.average + index) * params.step;
  uint end = min(begin + params.step, params.total);
  uint from = max(begin, params.first), to = min(end, params.first + params.rows);
  vec4 sum = vec4(0.0);
  for (uint row = from; row < to; ++row) sum += rows[(params.input_ + row - params.first) * params.depth + term];
  averages[(params.output_ + index) * params.depth + term] += sum / float(end - begin);
}
