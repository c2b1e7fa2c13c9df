// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/plan_image.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

constexpr std::int64_t kWidestPatch = 1024;
constexpr std::int64_t kMostPatches = 1 << 20;
constexpr std::int64_t kMostChannels = 64;

// The square root of `value`; 0 if `value` is not a perfect square.
std::int64_t rootOf(std::int64_t value) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 52;  // up to here a double is exact
  if (value < 1 || value > kLargest) return 0;
  const auto root = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(value))));
  return root * root == value ? root : 0;
}

class ImageBuilder {
 public:
  ImageBuilder(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
               const PlanNames::Place& place, int d_model)
      : checkpoint_(checkpoint), names_(names), parts_(parts), place_(place), width_(d_model) {}

  Result<ImagePlan> build(const NormKind& norm) {
    made_.patchFirst = parts_.patchFirst;
    SEPX_TRY(patches());
    SEPX_TRY(token(parts_.classToken, made_.classToken));
    SEPX_TRY(token(parts_.secondToken, made_.secondToken));
    SEPX_TRY(positions());
    made_.patchNorm = names_.norm(place_, parts_.patchNorm, made_.patches.in, norm);
    made_.patchedNorm = names_.norm(place_, parts_.patchedNorm, width_, norm);
    return std::move(made_);
  }

 private:
  tl::unexpected<Error> odd(const std::string& name, const std::string& what) const {
    return fail(ErrorKind::BadInput, fmt::format("{} {}: an image cannot be read", name, what));
  }

  // A convolution [d, channels, side, side], or a linear layer [d, channels side side].
  Result<void> patches() {
    const TensorInfo* weight = names_.weight(place_, parts_.patches);
    if (weight == nullptr) return odd(checkpoint_.name(), fmt::format("has no {}", parts_.patches));
    const std::vector<std::int64_t>& shape = weight->shape;
    std::int64_t channels = 0, side = 0;
    if (shape.size() == 4 && shape[2] == shape[3]) {
      channels = shape[1];
      side = shape[2];
    } else if (shape.size() == 2) {
      for (const std::int64_t guess : {3, 1, 4, 2})
        if (side == 0 && shape[1] % guess == 0 && rootOf(shape[1] / guess) > 0) {
          channels = guess;
          side = rootOf(shape[1] / guess);
        }
    }
    if (shape.empty() || shape[0] != width_ || side < 1 || side > kWidestPatch || channels < 1 ||
        channels > kMostChannels)
      return odd(weight->name, fmt::format("has the shape [{}], which does not map square patches to vectors of {}",
                                           fmt::join(shape, ", "), width_));
    made_.channels = static_cast<int>(channels);
    made_.patch = static_cast<int>(side);
    made_.patches.tensor = weight->name;
    made_.patches.out = width_;
    made_.patches.in = channels * side * side;
    const auto linear = names_.linear(place_, parts_.patches, false);
    made_.patches.bias = linear ? linear->bias : names_.biasName(weight->name, width_);
    return {};
  }

  Result<void> token(const std::string& pattern, std::string& into) {
    if (pattern.empty()) return {};
    const TensorInfo* token = names_.find(place_, pattern);
    if (token == nullptr) return odd(checkpoint_.name(), fmt::format("has no {}", pattern));
    if (token->values() != static_cast<std::uint64_t>(width_))
      return odd(token->name, fmt::format("has {} values in a model {} wide", token->values(), width_));
    into = token->name;
    return {};
  }

  // The positions give the size of the image: after those of the tokens there is one for each patch.
  Result<void> positions() {
    const TensorInfo* table = names_.find(place_, parts_.patchPositions);
    if (table == nullptr) return odd(checkpoint_.name(), fmt::format("has no {}", parts_.patchPositions));
    const std::vector<std::int64_t>& shape = table->shape;
    const bool fits =
        shape.size() >= 2 && shape.size() <= 3 && shape.back() == width_ && (shape.size() == 2 || shape.front() == 1);
    const std::int64_t tokens = (made_.classToken.empty() ? 0 : 1) + (made_.secondToken.empty() ? 0 : 1);
    const std::int64_t rows = fits ? shape[shape.size() - 2] : 0, side = rows > tokens ? rootOf(rows - tokens) : 0;
    if (!fits || rows > kMostPatches || side < 1)
      return odd(
          table->name,
          fmt::format("has the shape [{}], which does not give positions {} wide for a square image and {}",
                      fmt::join(shape, ", "), width_, tokens == 1 ? "one token" : fmt::format("{} tokens", tokens)));
    made_.positions = table->name;
    made_.image = static_cast<int>(side) * made_.patch;
    return {};
  }

  const Checkpoint& checkpoint_;
  const PlanNames& names_;
  const FamilyParts& parts_;
  PlanNames::Place place_;
  int width_ = 0;
  ImagePlan made_;
};

}  // namespace

Result<ImagePlan> imageOf(const Checkpoint& checkpoint, const PlanNames& names, const FamilyParts& parts,
                          const PlanNames::Place& place, int d_model, const NormKind& norm) {
  return ImageBuilder(checkpoint, names, parts, place, d_model).build(norm);
}

}  // namespace sepx::checkpoint
