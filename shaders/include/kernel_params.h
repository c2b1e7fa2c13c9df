// SPDX-License-Identifier: Apache-2.0
// The data layout shared by the host and the compute kernels: included by GLSL and by C++ (engine/gpu/kernels), where
// static_asserts check the layout. Push constants: at most 128 bytes. Twins: engine/dynamics/basin_map.h,
// trajectories.h, lic.h and particles.h.
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
using uvec2 = std::array<std::uint32_t, 2>;
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

// One dispatch of trajectories.comp: one orbit per invocation.
struct TrajectoriesParams {
  vec4 parameters;
  uint points;
  uint samples;
  uint substeps;
  float step;  // arc length of one Runge-Kutta step, negative: backward
};

// One dispatch of lic.comp: `count` pixels from `first` on.
struct LicParams {
  vec4 parameters;
  vec2 middle;     // data coordinates of the window's middle
  vec2 halfPixel;  // data units of half a pixel, y negative
  vec2 perPixel;   // factors from the field to directions in pixels, up to a common factor; y negative
  uvec2 origin;    // column and row of the window's first grain in the plane
  uint width;      // pixels
  uint height;
  uint first;
  uint count;
  uint convolving;  // 0: the lattice, 1: the levels
  uint steps;       // each way
  float contrast;
  float grain;  // pixels
  uint seedLow;
  uint seedHigh;
};

// One dispatch of particles_advect.comp: every particle moves by one step, or to its first initial point, and is
// counted on its pixel.
struct ParticlesParams {
  vec4 parameters;
  vec2 corner;   // data coordinates of the window's top left
  vec2 pixels;   // per data unit, y negative
  vec2 heights;  // window heights per data unit
  vec2 homeMin;  // rectangle of uniform initial points
  vec2 homeSize;
  uint count;  // particles
  uint width;  // pixels
  uint height;
  uint starting;  // 1: to the initial points, 2: no movement, 0: a step
  uint gauss;     // 1: initial points are normal, 0: uniform
  float sigma;
  uint seedLow;
  uint seedHigh;
  uint unitSpeed;  // 1: `amount` is a length in window heights, 0: a time
  float amount;
  float rest;  // window heights: a particle with a shorter step is at rest
  uint respawn;
  uint attractorCount;  // in the buffer
  float attractorRadius;
  uint splatReach;  // pixels to each side
};

// One dispatch of particles_density.comp: four pixels per invocation.
struct DensityParams {
  uint pixels;
  uint clearing;  // 1: clear trails and counts
  float fade;
  float gain;
};

#ifdef __cplusplus
}  // namespace sepx::gpu::glsl
#endif
#endif
