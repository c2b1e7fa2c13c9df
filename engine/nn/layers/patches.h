// SPDX-License-Identifier: Apache-2.0
// Images as the input of a transformer [Attention-Structure, C]: an image is cut into patches, row by row; a linear map
// turns each into a vector, and a class token precedes them.
//   x_0 = c + p_0,   x_n = E P_n + b_E + p_n,  n = 1 ... patches;   P_n [channels, patch, patch]
// Any thread; bitwise the same result on any number of threads.
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
ImageShape imageShape(const ModelConfig& config);  ///< for Input::Patches

/// Arrays that embedPatches() reads and embedPatchesBackward() adds to; null where there is none.
template <class T>
struct PatchTables {
  T* classToken = nullptr;  ///< [d]
  T* projection = nullptr;  ///< E [d, values]
  T* bias = nullptr;        ///< b_E [d]
  T* positions = nullptr;   ///< [length, d]
};

/// out [sequences, length, values]: the patches of the images, with a row of zeros for each class token.
template <class T>
void cutIntoPatches(ThreadPool& pool, const ImageShape& shape, const Batch& batch, T* out);

/// x [sequences, length, d]; `rows` [sequences, length, values] is filled for the backward pass.
template <class T>
void embedPatches(ThreadPool& pool, const ImageShape& shape, const Batch& batch, int d,
                  const PatchTables<const T>& tables, T* rows, T* x);
/// Adds the tables' gradients from dx; `rows` has been filled by embedPatches().
template <class T>
void embedPatchesBackward(ThreadPool& pool, const ImageShape& shape, const Batch& batch, int d, const T* dx,
                          const T* rows, const PatchTables<T>& tables);

}  // namespace sepx::nn
