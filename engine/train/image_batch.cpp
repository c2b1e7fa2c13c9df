// SPDX-License-Identifier: Apache-2.0
#include "engine/train/image_batch.h"

#include <cstddef>
#include <span>
#include <vector>

#include "engine/data/augment.h"
#include "engine/train/step.h"

namespace sepx::train {
namespace {

/// Image i keeps the share `kept` of its weight; the rest goes to the class of image count - 1 - i.
void mixTargets(double kept, nn::Batch& batch) {
  if (kept >= 1) return;
  const std::vector<nn::Target> whole = batch.targets;
  batch.targets.clear();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const nn::Target& own = whole[i];
    const nn::Target& other = whole[whole.size() - 1 - i];
    if (other.token == own.token) {
      batch.targets.push_back(own);
      continue;
    }
    const float share = static_cast<float>(kept);
    batch.targets.push_back({own.row, own.token, own.weight * share});
    batch.targets.push_back({own.row, other.token, own.weight * (1 - share)});
  }
}

}  // namespace

void addImages(const RunConfig& config, const data::ImageSource& source, data::Split split, std::uint64_t first,
               ThreadPool& pool, nn::Batch& batch) {
  const data::ImageSize size = source.size();
  const data::Augmentation& how = config.data.augmentation;
  const std::size_t values = size.values(), count = static_cast<std::size_t>(batch.sequences);
  const bool training = split == data::Split::Train;
  batch.pixels.resize(count * values);
  pool.parallelFor(0, count, 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<float> image = std::span(batch.pixels).subspan(i * values, values);
      source.image(split, first + i, image);
      if (!training || !how.any()) continue;
      RandomStream random = drawStream(config.seed, Draw::Augmentation, first + i);
      data::cropAndFlip(how, size, random, image);
    }
  });
  if (!training) return;
  batch.smoothing = config.objective.labelSmoothing;
  RandomStream random = drawStream(config.seed, Draw::Mixing, first);
  mixTargets(data::mixImages(how, size, random, batch.pixels), batch);
}

}  // namespace sepx::train
