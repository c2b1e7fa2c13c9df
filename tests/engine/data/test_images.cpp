// SPDX-License-Identifier: Apache-2.0
// Images: the files of CIFAR-10 and IDX are compared with the data written into them. Also tests refusals, the
// generated figures, and the augmentations of training against their definitions.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>
#include <zlib.h>

#include "engine/core/file.h"
#include "engine/data/augment.h"
#include "engine/data/image_files.h"
#include "engine/data/permutation.h"
#include "engine/data/source_config.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/engine/data/image_folders.h"
#include "tests/engine/data/sequences.h"

using namespace sepx;
using data::ImageSize;
using data::SourceConfig;
using data::SourceKind;
using data::Split;

namespace {

class ImageFolder {
 public:
  ImageFolder() {
    static int number = 0;
    path = std::filesystem::temp_directory_path() /
           ("sepx-images-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
    std::filesystem::create_directories(path);
  }
  ~ImageFolder() { std::filesystem::remove_all(path); }
  ImageFolder(const ImageFolder&) = delete;
  ImageFolder& operator=(const ImageFolder&) = delete;
  std::filesystem::path path;
};

SourceConfig imagesIn(SourceKind kind, const std::filesystem::path& folder) {
  SourceConfig config;
  config.kind = kind;
  config.path = folder.string();
  return config;
}

std::string refusalOf(const SourceConfig& config) {
  const auto source = data::makeSource(config);
  return source ? std::string() : source.error().message;
}
bool says(const std::string& sentence, const char* words) {
  INFO(sentence);
  const bool found = sentence.find(words) != std::string::npos;
  CHECK(found);
  return found;
}

std::vector<float> imageOf(const data::Source& source, Split split, std::uint64_t index) {
  std::vector<float> out(source.images()->size().values(), NAN);
  source.images()->image(split, index, out);
  return out;
}
std::int32_t classOf(const data::Source& source, Split split, std::uint64_t index) {
  return test::sequenceOf(source, split, index, 5).front();
}

}  // namespace

TEST_CASE("images: each pass over IDX files gives every image once with its class, in a new order") {
  const ImageFolder folder;
  test::writeIdx(folder.path, 60);
  const auto source = test::sourceOf(imagesIn(SourceKind::Idx, folder.path));
  REQUIRE(source->images() != nullptr);
  CHECK(source->images()->size() == ImageSize{8, 1});
  CHECK(source->vocabulary() == 3);
  CHECK(source->word(2) == "2");
  CHECK(source->maskToken() == -1);
  CHECK(source->count(Split::Train) == 60U);
  CHECK(source->count(Split::Validation) == 30U);
  std::vector<std::vector<int>> passes;
  for (std::uint64_t pass = 0; pass < 3; ++pass) {
    passes.emplace_back();
    for (std::uint64_t i = 0; i < 60; ++i) {
      const std::vector<float> image = imageOf(*source, Split::Train, 60 * pass + i);
      CHECK(std::ranges::count(image, image.front()) == 64);
      const int byte = static_cast<int>(std::lround((image.front() + 1) * 127.5F));
      CHECK(image.front() == Approx(2.0 * byte / 255 - 1).margin(1e-6));
      CHECK(classOf(*source, Split::Train, 60 * pass + i) == byte % 3);
      passes.back().push_back(byte);
    }
    CHECK(std::set<int>(passes.back().begin(), passes.back().end()).size() == 60);
  }
  CHECK(passes[0] != passes[1]);
  CHECK(passes[1] != passes[2]);
  CHECK_FALSE(std::ranges::is_sorted(passes[0]));
  CHECK(classOf(*source, Split::Validation, 4) == classOf(*source, Split::Validation, 34));
}

TEST_CASE("images: the records of CIFAR-10 are read, also in the archive's subfolder and compressed") {
  const ImageFolder folder;
  const auto inner = folder.path / "cifar-10-batches-bin";
  test::writeCifar10(inner, 7);
  {
    const std::string bytes = *readFile((inner / "test_batch.bin").string());
    std::filesystem::remove(inner / "test_batch.bin");
    const gzFile out = gzopen((inner / "test_batch.bin.gz").c_str(), "wb");
    gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(out);
  }
  const auto source = test::sourceOf(imagesIn(SourceKind::Cifar10, folder.path));
  CHECK(source->images()->size() == ImageSize{32, 3});
  CHECK(source->vocabulary() == 10);
  CHECK(source->word(0) == "airplane");
  CHECK(source->count(Split::Train) == 35U);
  CHECK(source->count(Split::Validation) == 7U);
  // Every record of the first file is read unchanged.
  const std::string records = *readFile((inner / "data_batch_1.bin").string());
  for (std::size_t r = 0; r < 7; ++r) {
    bool found = false;
    for (std::uint64_t i = 0; i < 35 && !found; ++i) {
      const std::vector<float> image = imageOf(*source, Split::Train, i);
      found = classOf(*source, Split::Train, i) == records[r * 3073];
      for (std::size_t k = 0; k < 3072 && found; ++k)
        found = std::lround((image[k] + 1) * 127.5F) == static_cast<std::uint8_t>(records[r * 3073 + 1 + k]);
    }
    CHECK(found);
  }
  test::writeBytes(inner / "batches.meta.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  CHECK(test::sourceOf(imagesIn(SourceKind::Cifar10, folder.path))->word(3) == "d");
}

TEST_CASE("images: missing, truncated or unsuitable files are refused with one message") {
  const ImageFolder folder;
  const SourceConfig cifar = imagesIn(SourceKind::Cifar10, folder.path), idx = imagesIn(SourceKind::Idx, folder.path);
  says(refusalOf(cifar), "data_batch_1.bin: is not there; download CIFAR-10");
  says(refusalOf(cifar), folder.path.c_str());
  says(refusalOf(idx), "train-images-idx3-ubyte: is not there; download MNIST");
  says(refusalOf(imagesIn(SourceKind::ImageNet, folder.path)), "download ILSVRC2012 from www.image-net.org");
  says(refusalOf(imagesIn(SourceKind::ImageNet, folder.path)), "docs/vision.md");

  test::writeCifar10(folder.path, 2);
  const std::string whole = *readFile((folder.path / "data_batch_3.bin").string());
  for (const std::size_t size : {std::size_t{1}, std::size_t{3072}, std::size_t{3074}, whole.size() - 1}) {
    test::writeBytes(folder.path / "data_batch_3.bin", whole.substr(0, size));
    says(refusalOf(cifar), "data_batch_3.bin: is cut short");
  }
  test::writeBytes(folder.path / "data_batch_3.bin", whole.substr(0, 3073));  // cut between two records
  says(refusalOf(cifar), "data_batch_3.bin: holds 1 images and data_batch_1.bin 2");
  std::filesystem::remove(folder.path / "data_batch_3.bin");
  gzclose(gzopen((folder.path / "data_batch_3.bin.gz").c_str(), "wb"));  // unpacks to an empty file
  says(refusalOf(cifar), "data_batch_3.bin.gz: holds no images");
  std::filesystem::remove(folder.path / "data_batch_3.bin.gz");
  test::writeBytes(folder.path / "data_batch_3.bin", "");
  says(refusalOf(cifar), "is empty");
  test::writeBytes(folder.path / "data_batch_3.bin", std::string(3073, '\xC0'));
  says(refusalOf(cifar), "offset 0 is 192");

  test::writeIdx(folder.path, 6);
  const auto images = folder.path / "train-images-idx3-ubyte";
  const std::string good = *readFile(images.string());
  REQUIRE(refusalOf(idx).empty());
  for (std::size_t size = 1; size < good.size(); size += 13) {
    test::writeBytes(images, good.substr(0, size));
    CHECK_FALSE(refusalOf(idx).empty());
  }
  test::writeBytes(images, good.substr(0, 100));
  says(refusalOf(idx), "has 100 bytes and should have 400");
  test::writeBytes(images, test::idxBytes({6, 8, 4}, std::string(192, 'a')));
  says(refusalOf(idx), "square");
  test::writeBytes(images, test::idxBytes({4, 8, 8}, std::string(256, 'a')));
  says(refusalOf(idx), "one class for each of the 4 images");
  test::writeBytes(images, test::idxBytes({6, 3, 8, 8}, std::string(1152, 'a')));
  says(refusalOf(idx), "both must have the same size");
  test::writeBytes(images, test::idxBytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "a"));
  CHECK_FALSE(refusalOf(idx).empty());
}

TEST_CASE("images: the unpacked size of a file is limited by the format and by its header") {
  const ImageFolder folder;
  const SourceConfig cifar = imagesIn(SourceKind::Cifar10, folder.path), idx = imagesIn(SourceKind::Idx, folder.path);
  const auto packed = [&](const std::string& name, const std::string& begin, std::size_t zeros) {
    const gzFile out = gzopen((folder.path / name).c_str(), "wb1");
    gzwrite(out, begin.data(), static_cast<unsigned>(begin.size()));
    const std::string piece(std::size_t{1} << 20, '\0');
    for (std::size_t i = 0; i < zeros; ++i)
      gzwrite(out, piece.data(), static_cast<unsigned>(piece.size()));
    gzclose(out);
  };
  constexpr std::size_t kMib = 256;
  test::writeCifar10(folder.path, 2);
  std::filesystem::remove(folder.path / "data_batch_1.bin");
  packed("data_batch_1.bin.gz", "", kMib);
  const test::MemoryLimit limit(std::size_t{128} << 20);
  says(refusalOf(cifar), "holds more than the 10000 images that a file of CIFAR-10 has");

  // Tests a header that declares little followed by much data, one that declares more than the file can hold, and one
  // that declares more than fits into memory.
  test::writeIdx(folder.path, 6);
  std::filesystem::remove(folder.path / "train-images-idx3-ubyte");
  packed("train-images-idx3-ubyte.gz", test::idxBytes({6, 8, 8}, ""), kMib);
  says(refusalOf(idx), "has more than 400 bytes and should have 400");
  std::filesystem::remove(folder.path / "train-images-idx3-ubyte.gz");
  test::writeBytes(folder.path / "train-labels-idx1-ubyte", test::idxBytes({60000}, std::string(60000, '\1')));
  test::writeBytes(folder.path / "train-images-idx3-ubyte", test::idxBytes({60000, 4096, 4096}, "a"));
  says(refusalOf(idx), "should have 1006632960016 by its header");
  std::filesystem::remove(folder.path / "train-images-idx3-ubyte");
  packed("train-images-idx3-ubyte.gz", test::idxBytes({60000, 4096, 4096}, ""), 1);
  says(refusalOf(idx), "should have 1006632960016 by its header");
  std::filesystem::remove(folder.path / "train-images-idx3-ubyte.gz");
  if (!limit.holds()) {
    WARN("skipped: nothing holds this program to a limit of memory");
    return;
  }
  const auto sparse = folder.path / "train-images-idx3-ubyte";
  test::writeBytes(sparse, test::idxBytes({60000, 128, 128}, "a"));
  std::filesystem::resize_file(sparse, 16 + std::uintmax_t{60000} * 128 * 128);
  says(refusalOf(idx), "that fit into memory");
}

TEST_CASE("images: the figures are reproducible, distinct, in range and equally frequent") {
  SourceConfig config;
  config.kind = SourceKind::Shapes;
  config.side = 24;
  config.noise = 0;
  const auto source = test::sourceOf(config);
  CHECK(source->images()->size() == ImageSize{24, 3});
  std::map<std::int32_t, int> counts;
  for (std::uint64_t i = 0; i < 800; ++i)
    ++counts[classOf(*source, Split::Train, i)];
  REQUIRE(counts.size() == 8);
  for (const auto& [figure, count] : counts)
    CHECK(std::abs(count - 100) < 45);
  for (std::uint64_t i = 0; i < 40; ++i) {
    const std::vector<float> image = imageOf(*source, Split::Train, i);
    CHECK(image == imageOf(*test::sourceOf(config), Split::Train, i));
    CHECK(image != imageOf(*source, Split::Validation, i));
    CHECK(std::ranges::all_of(image, [](float x) { return x >= -1 && x <= 1; }));
    CHECK(*std::ranges::max_element(image) - *std::ranges::min_element(image) > 0.3F);
  }
  for (const auto& [field, change] :
       {std::pair<const char*, void (*)(SourceConfig&)>{"data.side", [](SourceConfig& c) { c.side = 4; }},
        {"data.noise", [](SourceConfig& c) { c.noise = -1; }},
        {"data.crop", [](SourceConfig& c) { c.augmentation.crop = -1; }},
        {"data.mixup", [](SourceConfig& c) { c.augmentation.mixup = NAN; }},
        {"data.cutmix", [](SourceConfig& c) { c.augmentation.cutmix = 1e9; }}}) {
    SourceConfig wrong = config;
    change(wrong);
    says(refusalOf(wrong), field);
  }
}

TEST_CASE("augment: a crop moves the image, a flip mirrors it, and every movement occurs") {
  const ImageSize size{5, 2};
  std::vector<float> image(size.values());
  for (std::size_t i = 0; i < image.size(); ++i)
    image[i] = static_cast<float>(i);
  RandomStream random(3);
  std::map<std::vector<float>, int> seen;
  for (int i = 0; i < 4000; ++i) {
    std::vector<float> copy = image;
    data::cropAndFlip({.crop = 1, .flip = true}, size, random, copy);
    ++seen[copy];
  }
  CHECK(seen.size() == 18);  // 3 x 3 movements, with and without mirroring
  for (const auto& [picture, count] : seen)
    CHECK(std::abs(count - 4000 / 18) < 80);
  std::vector<float> moved(image.size(), -1.0F), mirrored(image.size());
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t y = 0; y < 5; ++y)
      for (std::size_t x = 0; x < 5; ++x) {
        mirrored[(c * 5 + y) * 5 + x] = image[(c * 5 + y) * 5 + 4 - x];
        if (y > 0 && x < 4) moved[(c * 5 + y) * 5 + x] = image[(c * 5 + y - 1) * 5 + x + 1];
      }
  CHECK(seen.contains(image));
  CHECK(seen.contains(moved));
  CHECK(seen.contains(mirrored));
}

TEST_CASE("augment: Beta(alpha, alpha) has the mean and the variance of its definition") {
  for (const double alpha : {0.2, 1.0, 4.0}) {
    RandomStream random(8);
    const int draws = 40000;
    double sum = 0, squares = 0;
    for (int i = 0; i < draws; ++i) {
      const double x = data::symmetricBeta(alpha, random);
      REQUIRE((x >= 0 && x <= 1));
      sum += x;
      squares += (x - 0.5) * (x - 0.5);
    }
    CHECK(sum / draws == Approx(0.5).margin(0.01));
    CHECK(squares / draws == Approx(1 / (4 * (2 * alpha + 1))).epsilon(0.03));
  }
  // For an alpha below the floating-point resolution the draws are 0 or 1, without an endless loop.
  RandomStream random(2);
  int ones = 0;
  for (int i = 0; i < 400; ++i) {
    const double x = data::symmetricBeta(1e-18, random);
    REQUIRE((x == 0 || x == 1));
    ones += x == 1 ? 1 : 0;
  }
  CHECK(std::abs(ones - 200) < 60);
}

TEST_CASE("augment: mixed images have the returned share") {
  const ImageSize size{8, 2};
  const std::size_t values = size.values();
  const bool cut = GENERATE(false, true);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::vector<float> images(3 * values);
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = i / values == 0 ? 1.0F : i / values == 2 ? -1.0F : 0.25F;
    RandomStream random(seed);
    const data::Augmentation how{.mixup = cut ? 0 : 0.2, .cutmix = cut ? 1.0 : 0};
    const double kept = data::mixImages(how, size, random, images);
    REQUIRE((kept >= 0 && kept <= 1));
    double first = 0, last = 0;
    for (std::size_t i = 0; i < values; ++i) {
      first += static_cast<double>(images[i]) / static_cast<double>(values);
      last += static_cast<double>(images[2 * values + i]) / static_cast<double>(values);
      CHECK(images[values + i] == 0.25F);
      if (cut) CHECK(std::abs(images[i]) == 1);
    }
    CHECK(first == Approx(2 * kept - 1).margin(1e-5));
    CHECK(last == Approx(1 - 2 * kept).margin(1e-5));
  }
  RandomStream random(1);
  std::vector<float> one(values, 0.5F);
  CHECK(data::mixImages({}, size, random, one) == 1);
}

TEST_CASE("permutation: every index occurs once, and another key gives another order") {
  for (const std::uint64_t count : {1ULL, 2ULL, 7ULL, 1000ULL}) {
    std::set<std::uint64_t> seen;
    bool same = true;
    for (std::uint64_t i = 0; i < count; ++i) {
      seen.insert(data::permuted(i, count, 5));
      same = same && data::permuted(i, count, 5) == data::permuted(i, count, 6);
    }
    CHECK(seen.size() == count);
    CHECK(*seen.rbegin() == count - 1);
    if (count > 100) CHECK_FALSE(same);
  }
}
