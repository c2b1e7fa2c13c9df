// SPDX-License-Identifier: Apache-2.0
// Images as rows of a transformer [Attention-Structure, C]: an image is cut into patches, row by row; each becomes a
// vector by one linear map, and a class token stands before them.
//   x_0 = c + p_0,   x_n = E P_n + b_E + p_n,  n = 1 ... patches;   P_n [channels, patch, patch]
// Any thread; the same bits on any number of threads.
#pragma once

#include <cstddef>

#include "engine/core/thread_pool.h"
#include "engine/nn/batch.h"
#include "engine/nn/model_config.h"

namespace sepx::nn {

struct ImageShape {  ///< an image and its patches
  int side = 0, channels = 0, patch = 0;
  std::size_t values() const { return static_cast<std::size_t>(channels * patch * patch); }  ///< of a patch
  std::size_t pixels() const { return static_cast<std::size_t>(channels * side * side); }    ///< of an image
};
ImageShape imageShape(const ModelConfig& config);  ///< of Input::Patches

/// What embedPatches() reads and embedPatchesBackward() adds to; null: there is none.
template <class T>
struct PatchTables {
  T* classToken = nullptr;  ///< [d]
  T* projection = nullptr;  ///< E [d, values]
  T* bias = nullptr;        ///< b_E [d]
  T* positions = nullptr;   ///< [length, d]
};

/// out [sequences, length, values]: the patches of the images, a row of zeros for each class token.
template <class T>
void cutIntoPatches(ThreadPool& pool, const ImageShape& shape, const Batch& batch, T* out);

/// x [sequences, length, d]; `rows` [sequences, length, values] is filled for the backward pass.
template <class T>
void embedPatches(ThreadPool& pool, const ImageShape& shape, const Batch& batch, int d,
                  const PatchTables<const T>& tables, T* rows, T* x);
/// tables += from dx, with the `rows` that embedPatches() filled.
template <class T>
void embedPatchesBackward(ThreadPool& pool, const ImageShape& shape, const Batch& batch, int d, const T* dx,
                          const T* rows, const PatchTables<T>& tables);

}  // namespace sepx::nn
