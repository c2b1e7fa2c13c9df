// SPDX-License-Identifier: Apache-2.0
// An image in place of a sentence: what a model of patches reads, and a picture of it. Immutable once made; any thread.
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
  std::vector<float> pixels;  ///< [channels, side, side], normalised as the model was trained
  int side = 0, channels = 0;
  int across = 0;  ///< patches in a row
  int before = 0;  ///< tokens before the first patch: the class token, DeiT's second one
  /// The picture as it is shown: a color of `palette` a pixel, [side, side].
  std::shared_ptr<const std::vector<std::uint8_t>> shown;
  std::vector<render::Color> palette;
  std::string note;  ///< what was assumed, a sentence; empty: nothing
};
using SentenceImagePointer = std::shared_ptr<const SentenceImage>;

/// The numbers of an .npy file of one array, in row-major order. BadInput.
Result<std::vector<float>> pixelsOfNpy(const std::string& path);

/// A PNG, scaled to the side of the model and normalised as preprocessor_config.json beside the weights says (mean and
/// deviation 0.5 where there is none, and the note says so); or an .npy file of as many numbers as the model reads,
/// taken as they are. BadInput with the file and what is wrong.
Result<SentenceImagePointer> openImage(const std::string& path, const checkpoint::ImagePlan& plan,
                                       const checkpoint::Checkpoint& checkpoint);

/// The names of the classes that a config lists (id2label), by id; empty: it lists none.
std::vector<std::string> classNames(const checkpoint::Checkpoint& checkpoint);

}  // namespace sepx::ui
