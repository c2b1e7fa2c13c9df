// SPDX-License-Identifier: Apache-2.0
#include "ui/sentence/sentence_image.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <span>

#include <nlohmann/json.hpp>

#include "engine/checkpoint/mapped_file.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/render/png.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

using nlohmann::json;

constexpr std::size_t kLongestConfig = 1 << 20;  // bytes
constexpr int kGreys = 256, kSteps = 6;          // sizes of the palettes: greys, steps per colour
constexpr std::size_t kMostClasses = 1'000'000;
constexpr std::int64_t kMostPixels = std::int64_t{64} << 20;  // numbers of an array: 256 MiB in float

/// Converts pixels from 0 to 1 to the input of the model.
struct Normal {
  std::array<double, 3> mean{0.5, 0.5, 0.5}, deviation{0.5, 0.5, 0.5};
  bool known = false;
};

bool readThree(const json& config, const char* key, std::array<double, 3>& into) {
  const auto found = config.find(key);
  if (found == config.end() || !found->is_array() || found->empty() || found->size() > 3) return false;
  std::array<double, 3> made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const json& one = (*found)[std::min(i, found->size() - 1)];
    if (!one.is_number() || !std::isfinite(one.get<double>())) return false;
    made[i] = one.get<double>();
  }
  into = made;
  return true;
}

Normal normalOf(const checkpoint::Checkpoint& checkpoint) {
  Normal normal;
  const std::filesystem::path file = std::filesystem::path(checkpoint.folder()) / "preprocessor_config.json";
  const auto mapped = checkpoint::MappedFile::open(file.string());
  if (!mapped || (*mapped)->bytes().size() > kLongestConfig) return normal;
  const auto bytes = (*mapped)->bytes();
  const auto parsed = parseJson<json>({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!parsed || !parsed->is_object()) return normal;
  const json& config = *parsed;
  const auto off = config.find("do_normalize");
  if (off != config.end() && off->is_boolean() && !off->get<bool>()) return {{0, 0, 0}, {1, 1, 1}, true};
  Normal read = normal;
  read.known = readThree(config, "image_mean", read.mean) && readThree(config, "image_std", read.deviation) &&
               std::ranges::all_of(read.deviation, [](double one) { return one > 0; });
  return read.known ? read : normal;
}

/// Scales a picture: each pixel is the mean of the part of the picture that falls on it. [side, side, 3] from 0 to 1.
std::vector<double> scaled(const gpu::Pixels& from, int side) {
  const auto width = static_cast<int>(from.extent.width), height = static_cast<int>(from.extent.height);
  std::vector<double> made;
  made.reserve(static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * 3);
  for (int y = 0; y < side; ++y) {
    const int top = static_cast<int>(std::int64_t{y} * height / side);
    const int below = std::max(top + 1, static_cast<int>(std::int64_t{y + 1} * height / side));
    for (int x = 0; x < side; ++x) {
      const int left = static_cast<int>(std::int64_t{x} * width / side);
      const int right = std::max(left + 1, static_cast<int>(std::int64_t{x + 1} * width / side));
      std::array<double, 3> sum{};
      for (int i = top; i < below; ++i)
        for (int j = left; j < right; ++j) {
          const std::size_t at =
              4 * (static_cast<std::size_t>(i) * static_cast<std::size_t>(width) + static_cast<std::size_t>(j));
          const double alpha = from.rgba[at + 3] / 255.0;
          for (std::size_t c = 0; c < 3; ++c)  // over white
            sum[c] += alpha * from.rgba[at + c] / 255.0 + (1 - alpha);
        }
      for (const double one : sum)
        made.push_back(one / (static_cast<double>(below - top) * (right - left)));
    }
  }
  return made;
}

/// Sets the shown picture: [side, side, 3] from 0 to 1 as labels of a palette.
void picture(SentenceImage& into, const std::vector<double>& rgb) {
  auto labels = std::make_shared<std::vector<std::uint8_t>>(rgb.size() / 3);
  const auto step = [](double value, int steps) {
    return std::clamp(static_cast<int>(std::lround(value * (steps - 1))), 0, steps - 1);
  };
  const bool grey = into.channels == 1;
  for (std::size_t i = 0; i < labels->size(); ++i)
    (*labels)[i] =
        static_cast<std::uint8_t>(grey ? step(rgb[3 * i], kGreys)
                                       : (step(rgb[3 * i], kSteps) * kSteps + step(rgb[3 * i + 1], kSteps)) * kSteps +
                                             step(rgb[3 * i + 2], kSteps));
  const int colors = grey ? kGreys : kSteps * kSteps * kSteps;
  for (int i = 0; i < colors; ++i) {
    const auto share = [](int of, int steps) { return static_cast<float>(of) / static_cast<float>(steps - 1); };
    render::Color color{share(i, kGreys), share(i, kGreys), share(i, kGreys), 1};
    if (!grey)
      color = {share(i / (kSteps * kSteps), kSteps), share(i / kSteps % kSteps, kSteps), share(i % kSteps, kSteps), 1};
    into.palette.push_back(color);
  }
  into.shown = std::move(labels);
}

std::size_t area(const SentenceImage& image) {
  return static_cast<std::size_t>(image.side) * static_cast<std::size_t>(image.side);
}

/// The picture of numbers of unknown range, scaled from the smallest to the largest.
std::vector<double> stretched(const SentenceImage& image) {
  double low = INFINITY, high = -INFINITY;
  for (const float one : image.pixels)
    if (std::isfinite(one)) {
      low = std::min(low, static_cast<double>(one));
      high = std::max(high, static_cast<double>(one));
    }
  const double span = high > low ? high - low : 1;
  std::vector<double> rgb(3 * area(image));
  for (std::size_t i = 0; i < area(image); ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t channel = std::min(c, static_cast<std::size_t>(image.channels) - 1);
      const auto value = static_cast<double>(image.pixels[channel * area(image) + i]);
      rgb[3 * i + c] = std::isfinite(value) ? (value - low) / span : 0;
    }
  return rgb;
}

Result<void> fromPng(SentenceImage& into, const std::string& path, const checkpoint::Checkpoint& checkpoint) {
  SEPX_ASSIGN(const gpu::Pixels pixels, render::readPng(path));
  if (pixels.extent.width < 1 || pixels.extent.height < 1)
    return fail(ErrorKind::BadInput, trFormat("{}: this picture has no pixels", path));
  const std::vector<double> rgb = scaled(pixels, into.side);
  const Normal normal = normalOf(checkpoint);
  into.pixels.resize(static_cast<std::size_t>(into.channels) * area(into));
  for (std::size_t i = 0; i < area(into); ++i)
    for (std::size_t c = 0; c < static_cast<std::size_t>(into.channels); ++c) {
      const double* const at = rgb.data() + 3 * i;
      const double value =
          into.channels == 1 ? 0.299 * at[0] + 0.587 * at[1] + 0.114 * at[2] : at[std::min<std::size_t>(c, 2)];
      const std::size_t k = std::min<std::size_t>(c, 2);
      into.pixels[c * area(into) + i] = static_cast<float>((value - normal.mean[k]) / normal.deviation[k]);
    }
  if (!normal.known)
    into.note = tr("There is no preprocessor_config.json beside the weights: pixels are scaled to the range −1 to 1.");
  picture(into, into.channels == 1 ? stretched(into) : rgb);
  return {};
}

}  // namespace

Result<std::vector<float>> pixelsOfNpy(const std::string& path) {
  SEPX_ASSIGN(const auto file, checkpoint::Checkpoint::open(path));
  if (file->format() != checkpoint::Format::Npy || file->tensors().size() != 1)
    return fail(ErrorKind::BadInput, trFormat("{}: this is not an .npy file with one array of pixels", path));
  const checkpoint::TensorInfo& tensor = file->tensors().front();
  if (tensor.values() > kMostPixels)
    return fail(ErrorKind::BadInput, trFormat("{}: an image has at most {} numbers", path, kMostPixels));
  std::vector<float> values(static_cast<std::size_t>(tensor.values()));
  const std::int64_t rows = tensor.shape.empty() ? 1 : tensor.shape.front();
  if (rows > 0) {
    SEPX_TRY(file->read(tensor, 0, rows, 0, static_cast<std::int64_t>(values.size()) / rows, std::span<float>(values)));
  }
  return values;
}

Result<SentenceImagePointer> openImage(const std::string& path, const checkpoint::ImagePlan& plan,
                                       const checkpoint::Checkpoint& checkpoint) {
  auto made = std::make_shared<SentenceImage>();
  made->side = plan.image;
  made->channels = plan.channels;
  made->across = plan.patch > 0 ? plan.image / plan.patch : 0;
  made->before = (plan.classToken.empty() ? 0 : 1) + (plan.secondToken.empty() ? 0 : 1);
  if (made->side < 1 || made->channels < 1 || made->across < 1)
    return fail(ErrorKind::BadInput, tr("this model does not say how large its images are"));
  // It is shown in three colours, so at least three channels are counted.
  const double numbers = std::max(3.0, static_cast<double>(made->channels)) * made->side * made->side;
  if (numbers > static_cast<double>(kMostPixels))
    return fail(ErrorKind::BadInput, trFormat("{}: an image has at most {} numbers", path, kMostPixels));
  if (path.ends_with(".npy")) {
    SEPX_ASSIGN(made->pixels, pixelsOfNpy(path));
    if (made->pixels.size() != static_cast<std::size_t>(made->channels) * area(*made))
      return fail(
          ErrorKind::BadInput,
          trFormat("{}: the file has {} numbers, but an image of this model has {} ({} channels of {} × {} pixels)",
                   path, made->pixels.size(), static_cast<std::size_t>(made->channels) * area(*made), made->channels,
                   made->side, made->side));
    picture(*made, stretched(*made));
  } else {
    SEPX_TRY(fromPng(*made, path, checkpoint));
  }
  return SentenceImagePointer(std::move(made));
}

std::vector<std::string> classNames(const checkpoint::Checkpoint& checkpoint) {
  std::vector<std::string> names;
  const json& config = checkpoint.config();
  const auto found = config.is_object() ? config.find("id2label") : config.end();
  if (!config.is_object() || found == config.end() || !found->is_object()) return names;
  for (const auto& [key, name] : found->items()) {
    std::size_t id = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size() || id >= kMostClasses || !name.is_string()) continue;
    if (names.size() <= id) names.resize(id + 1);
    names[id] = name.get<std::string>();
  }
  return names;
}

}  // namespace sepx::ui
