// SPDX-License-Identifier: Apache-2.0
// Computes entries of W_qk = W_Q W_K^T or of its symmetric or skew part, the strongest entry of each pixel, or sums of
// squares of rows and columns with a share of Tr(MM). A workgroup computes a block of 64 x 64 through shared memory, 16
// terms at a time; an invocation holds rows 4 y .. 4 y + 3 and columns x, x + 16, x + 32, x + 48. Twins:
// engine/attention/tiles.cpp and moments.cpp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "qk_params.h"

layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant, std430) uniform Push { QkProductParams params; };
layout(std430, binding = 0) readonly buffer Left { vec4 left[]; };
layout(std430, binding = 1) readonly buffer Right { vec4 right[]; };
layout(std430, binding = 2) readonly buffer LeftMirror { vec4 leftMirror[]; };
layout(std430, binding = 3) readonly buffer RightMirror { vec4 rightMirror[]; };
layout(std430, binding = 4) buffer Output { uint values[]; };

const uint kBlock = SEPX_QK_BLOCK;
const uint kTerms = 16;
shared float a[kTerms][kBlock];
shared float b[kTerms][kBlock];

// 4 x 4 entries, row by row.
struct Entries { float at[16]; };

Entries product(bool mirror) {
  Entries sum;
  for (uint e = 0; e < 16; ++e) sum.at[e] = 0.0;
  // Each invocation loads four terms of one row of each factor. Rows past the end of the tile repeat its last row;
  // their results are not used.
  uint slot = gl_LocalInvocationIndex / 4, quad = gl_LocalInvocationIndex % 4;
  uint row = min(gl_WorkGroupID.y * kBlock + slot, params.rows - 1);
  uint column = min(gl_WorkGroupID.x * kBlock + slot, params.columns - 1);
  uint fromA = ((mirror ? params.leftMirror : params.left) + row) * params.depth + quad;
  uint fromB = ((mirror ? params.rightMirror : params.right) + column) * params.depth + quad;
  for (uint k = 0; k < params.depth; k += kTerms / 4) {
    vec4 x = mirror ? leftMirror[fromA + k] : left[fromA + k];
    vec4 y = mirror ? rightMirror[fromB + k] : right[fromB + k];
    for (uint c = 0; c < 4; ++c) {
      a[4 * quad + c][slot] = x[c];
      b[4 * quad + c][slot] = y[c];
    }
    barrier();
    for (uint t = 0; t < kTerms; ++t)
      for (uint i = 0; i < 4; ++i) {
        float factor = a[t][4 * gl_LocalInvocationID.y + i];
        for (uint j = 0; j < 4; ++j)
          sum.at[4 * i + j] = fma(factor, b[t][gl_LocalInvocationID.x + 16 * j], sum.at[4 * i + j]);
      }
    barrier();
  }
  return sum;
}

uint rowOf(uint e) { return gl_WorkGroupID.y * kBlock + 4 * gl_LocalInvocationID.y + e / 4; }
uint columnOf(uint e) { return gl_WorkGroupID.x * kBlock + gl_LocalInvocationID.x + 16 * (e % 4); }
bool inTile(uint e) { return rowOf(e) < params.rows && columnOf(e) < params.columns; }

// Compares the entries of one pixel within the invocation first, column by column, before the atomic maximum.
void writeExtremes(Entries entries) {
  uint pixel = 0xffffffffu, most = 0;
  for (uint j = 0; j < 4; ++j)
    for (uint i = 0; i < 4; ++i) {
      uint e = 4 * i + j;
      if (!inTile(e)) continue;
      uint bits = floatBitsToUint(entries.at[e]);
      uint key = ((bits << 1) | (bits >> 31)) ^ 1u;
      uint at = (params.rowPhase + rowOf(e)) / params.step * params.width + (params.columnPhase + columnOf(e)) / params.step;
      if (at != pixel) {
        if (pixel != 0xffffffffu) atomicMax(values[pixel], most);
        pixel = at;
        most = 0;
      }
      most = max(most, key);
    }
  if (pixel != 0xffffffffu) atomicMax(values[pixel], most);
}

// Sums over the 16 invocations that share a row (column) of the block, in a fixed order. a and b are no longer in use.
void writeSums(Entries m, uint first, bool mirror) {
  float rows[4] = float[](0.0, 0.0, 0.0, 0.0), columns[4] = float[](0.0, 0.0, 0.0, 0.0);
  for (uint e = 0; e < 16; ++e) {
    float square = inTile(e) ? m.at[e] * m.at[e] : 0.0;
    rows[e / 4] += square;
    columns[e % 4] += square;
  }
  barrier();
  for (uint i = 0; i < 4; ++i) {
    a[gl_LocalInvocationID.x][4 * gl_LocalInvocationID.y + i] = rows[i];
    b[gl_LocalInvocationID.y][gl_LocalInvocationID.x + 16 * i] = columns[i];
  }
  barrier();
  uint line = gl_LocalInvocationIndex;
  if (line >= 2 * kBlock) return;
  float sum = 0.0;
  for (uint i = 0; i < 16; ++i) sum += line < kBlock ? a[i][line] : b[i][line - kBlock];
  // A row of the mirror image is a column of this block, and vice versa.
  uint place = mirror ? (line + kBlock) % (2 * kBlock) : line;
  values[first + place] = floatBitsToUint(sum);
}

void writeTrace(Entries m, Entries mirror, uint place) {
  float share = 0.0;
  for (uint e = 0; e < 16; ++e) share += inTile(e) ? m.at[e] * mirror.at[e] : 0.0;
  barrier();
  a[gl_LocalInvocationID.x][gl_LocalInvocationID.y] = share;
  barrier();
  if (gl_LocalInvocationIndex > 0) return;
  float sum = 0.0;
  for (uint i = 0; i < 16; ++i)
    for (uint j = 0; j < 16; ++j) sum += a[i][j];
  values[place] = floatBitsToUint(sum);
}

void main() {
  Entries m = product(false);
  if (params.mode >= SEPX_QK_MOMENTS) {
    uint first = (gl_WorkGroupID.y * params.width + gl_WorkGroupID.x) * SEPX_QK_SUMS;
    writeSums(m, first, false);
    if (params.mode == SEPX_QK_NORMS) return;
    barrier();
    Entries mirror = product(true);
    writeSums(mirror, first + 2 * kBlock, true);
    writeTrace(m, mirror, first + 4 * kBlock);
    return;
  }
  if (params.part != SEPX_QK_FULL) {
    Entries mirror = product(true);
    float sign = params.part == SEPX_QK_SKEW ? -1.0 : 1.0;
    for (uint e = 0; e < 16; ++e) m.at[e] = 0.5 * (m.at[e] + sign * mirror.at[e]);
  }
  if (params.mode == SEPX_QK_EXTREMES) {
    writeExtremes(m);
    return;
  }
  for (uint e = 0; e < 16; ++e)
    if (inTile(e)) values[rowOf(e) * params.width + columnOf(e)] = floatBitsToUint(m.at[e]);
}
