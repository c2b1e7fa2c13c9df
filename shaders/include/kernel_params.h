// SPDX-License-Identifier: Apache-2.0
// What the host and the compute kernels agree on, written once: included by GLSL and by C++ (engine/gpu/kernels), where
// static_asserts hold the layout. Push constants: at most 128 bytes. Twins: engine/dynamics/basin_map.h and
// trajectories.h.
#ifndef SEPX_KERNEL_PARAMS_H
#define SEPX_KERNEL_PARAMS_H

// Labels: dynamics::LimitKind.
#define SEPX_UNDECIDED 0
#define SEPX_GLOBAL_MIN 1
#define SEPX_LOCAL_MIN 2
#define SEPX_SADDLE 3
#define SEPX_LOCAL_MAX 4
#define SEPX_ATTRACTOR 5

#ifdef __cplusplus
#include <array>
#include <cstdint>
namespace sepx::gpu::glsl {
using vec2 = std::array<float, 2>;
using vec4 = std::array<float, 4>;
using uint = std::uint32_t;
#endif

// One dispatch of basin_map.comp: `count` points, from `first` on, of the grid of pixels at multiples of `stride`; grid
// points are numbered row by row.
struct BasinMapParams {
  vec4 parameters;  // of the field
  vec2 middle;      // data coordinates of the window's middle
  vec2 halfPixel;   // data units of half a pixel, y negative (rows run down)
  uint width;       // of the window, pixels
  uint height;
  uint columns;  // of the grid
  uint first;
  uint count;
  uint stride;          // pixels
  uint skipCoarse;      // 1: grid points with two even indices are known from the stride before
  uint attractorCount;  // in the buffer; 0 for fields with a classifier
  uint maxSteps;
  float tolerance;        // error per unit of arc length
  float maxLength;        // arc length
  float attractorRadius;  // data units
};

// One dispatch of trajectories.comp: one orbit an invocation.
struct TrajectoriesParams {
  vec4 parameters;
  uint points;
  uint samples;
  uint substeps;
  float step;  // arc length of one Runge-Kutta step, negative: backward
};

#ifdef __cplusplus
}  // namespace sepx::gpu::glsl
#endif
#endif
