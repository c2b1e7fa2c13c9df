// SPDX-License-Identifier: Apache-2.0
// What the host and the kernels of W_qk agree on, written once: included by GLSL and by C++
// (engine/gpu/kernels/qk_device.cpp). Push constants: at most 128 bytes. Twins: engine/attention/tiles.h and scores.h.
#ifndef SEPX_QK_PARAMS_H
#define SEPX_QK_PARAMS_H

// Entries of a side of the block that a workgroup of qk_product.comp forms.
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
#define SEPX_QK_MOMENTS 2   // SEPX_QK_SUMS numbers a workgroup
#define SEPX_QK_NORMS 3     // the same of a form that has no mirror image

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
  uint step;      // entries of a pixel's side
  uint rowPhase;  // rows of the tile's first pixel that come before the tile
  uint columnPhase;
  uint width;  // pixels of a row of the output; workgroups of a row for moments
};

// One dispatch of qk_mean.comp: adds rows of a factor to the averages that they belong to.
struct QkMeanParams {
  uint input_;  // row of the bound range where the rows begin
  uint rows;    // how many
  uint first;   // number of the first in the crop
  uint total;   // rows of the crop
  uint step;
  uint output_;   // row of the bound range of the averages where average `average` stands
  uint average;   // number of the first average that is touched
  uint averages;  // how many are touched
  uint depth;     // groups of four terms
};

#ifdef __cplusplus
}  // namespace sepx::gpu::glsl
#endif
#endif
