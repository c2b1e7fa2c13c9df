// SPDX-License-Identifier: Apache-2.0
// An image instead of a sentence: the input of a model of patches, and a picture of it. Immutable once made; any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/render/scene.h"

namespace sepx::ui {

struct SentenceImage {
  std::vector<float> pixels;  ///< [channels, side, side], normalised as in the training of the model
  int side = 0, channels = 0;
  int across = 0;  ///< patches in a row
  int before = 0;  ///< number of tokens before the first patch: the class token, DeiT's second one
  /// The picture as it is shown: one colour of `palette` per pixel, [side, side].
  std::shared_ptr<const std::vector<std::uint8_t>> shown;
  std::vector<render::Color> palette;
  std::string note;  ///< what was assumed, one sentence; empty: nothing
};
using SentenceImagePointer = std::shared_ptr<const SentenceImage>;

/// The numbers of an .npy file with one array, in row-major order. BadInput if it cannot be read.
Result<std::vector<float>> pixelsOfNpy(const std::string& path);

/// Reads a PNG, scaled to the side of the model and normalised according to preprocessor_config.json beside the weights
/// (mean and deviation 0.5 if there is none, which the note says). Or reads an .npy file with as many numbers as the
/// model reads, unchanged. BadInput with the file and what is wrong.
Result<SentenceImagePointer> openImage(const std::string& path, const checkpoint::ImagePlan& plan,
                                       const checkpoint::Checkpoint& checkpoint);

/// The names of the classes that a config lists (id2label), by id; empty: it lists none.
std::vector<std::string> classNames(const checkpoint::Checkpoint& checkpoint);

}  // namespace sepx::ui
