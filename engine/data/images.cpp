// SPDX-License-Identifier: Apache-2.0
#include "engine/data/images.h"

#include <algorithm>
#include <utility>

#include "engine/data/permutation.h"

namespace sepx::data {
namespace {

class FileImages final : public ImageSource {
 public:
  FileImages(std::uint64_t seed, ImageFiles files) : seed_(seed), files_(std::move(files)) {}

  int vocabulary() const override { return static_cast<int>(files_.classes.size()); }
  std::string word(std::int32_t token) const override { return files_.classes[static_cast<std::size_t>(token)]; }
  std::optional<std::uint64_t> count(Split split) const override { return of(split).classes.size(); }
  ImageSize size() const override { return files_.size; }
  void image(Split split, std::uint64_t index, std::span<float> out) const override {
    const std::uint8_t* const from = of(split).pixels.data() + place(split, index) * files_.size.values();
    std::transform(from, from + files_.size.values(), out.begin(),
                   [](std::uint8_t value) { return static_cast<float>(value) * (2.0F / 255.0F) - 1.0F; });
  }

 protected:
  std::int32_t classOf(Split split, std::uint64_t index) const override {
    return of(split).classes[place(split, index)];
  }

 private:
  const LabelledImages& of(Split split) const { return split == Split::Train ? files_.train : files_.validation; }
  std::size_t place(Split split, std::uint64_t index) const {
    const std::uint64_t count = of(split).classes.size();
    const std::uint64_t key = split == Split::Train ? seed_ * 0x9E37'79B9'7F4A'7C15 + index / count + 1 : 0;
    return static_cast<std::size_t>(permuted(index % count, count, key));
  }

  std::uint64_t seed_;
  ImageFiles files_;
};

}  // namespace

int ImageSource::sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const {
  std::fill_n(out.begin(), length, 0);
  out[0] = classOf(split, index);
  return length;
}

std::unique_ptr<Source> makeImageSource(std::uint64_t seed, ImageFiles files) {
  return std::make_unique<FileImages>(seed, std::move(files));
}

}  // namespace sepx::data
