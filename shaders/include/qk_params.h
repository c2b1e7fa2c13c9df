// SPDX-License-Identifier: Apache-2.0
// The data layout shared by the host and the kernels of W_qk: included by GLSL and by C++
// (engine/gpu/kernels/qk_device.cpp). Push constants: at most 128 bytes. Twins: engine/attention/tiles.h and scores.h.
#ifndef SEPX_QK_PARAMS_H
#define SEPX_QK_PARAMS_H

// Side of the block that a workgroup of qk_product.comp computes, entries.
#define SEPX_QK_BLOCK 64
// Numbers that a workgroup writes in the modes of moments: four times 64 sums of squares (rows and columns of the
// block, rows and columns of its mirror image), the share of Tr(MM), and padding.
#define SEPX_QK_SUMS 260

// attention::Part.
#define SEPX_QK_FULL 0
#define SEPX_QK_SYMMETRIC 1
#define SEPX_QK_SKEW 2

#define SEPX_QK_ENTRIES 0   // every entry as a float
#define SEPX_QK_EXTREMES 1  // the largest key (attention::strengthKey) of each pixel
#define SEPX_QK_MOMENTS 2   // SEPX_QK_SUMS numbers per workgroup
#define SEPX_QK_NORMS 3     // the same for a form that has no mirror image

#ifdef __cplusplus
#include <cstdint>
namespace sepx::gpu::glsl {
using uint = std::uint32_t;
#endif

// One dispatch of qk_product.comp: the tile of `rows` x `columns` entries whose factors begin at these rows of the
// bound ranges.
struct QkProductParams {
  uint rows;
  uint columns;
  uint left;         // row of the bound range of W_Q
  uint right;        // of W_K
  uint leftMirror;   // of W_K, for the entries M(j, i)
  uint rightMirror;  // of W_Q
  uint depth;        // groups of four terms
  uint part;
  uint mode;
  uint step;      // entries per side of a pixel
  uint rowPhase;  // rows of the tile's first pixel that are before the tile
  uint columnPhase;
  uint width;  // pixels per row of the output; workgroups per row for moments
};

// One dispatch of qk_mean.comp: adds rows of a factor to the averages that they belong to.
struct QkMeanParams {
  uint input_;  // first row, in the bound range
  uint rows;    // number of rows
  uint first;   // index of the first row in the crop
  uint total;   // rows of the crop
  uint step;
  uint output_;   // row of average `average` in the bound range of the averages
  uint average;   // index of the first average that changes
  uint averages;  // number of averages that change
  uint depth;     // groups of four terms
};

#ifdef __cplusplus
}  // namespace sepx::gpu::glsl
#endif
#endif
