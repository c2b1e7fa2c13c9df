// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/core/xdg.h"
#include "engine/data/gzip_file.h"

namespace sepx::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCifarWhat =
    "download CIFAR-10 in its binary version (cifar-10-binary.tar.gz, from www.cs.toronto.edu/~kriz/cifar.html), "
    "unpack "
    "it and put data_batch_1.bin ... data_batch_5.bin and test_batch.bin";
constexpr const char* kIdxWhat =
    "download MNIST or other images in the IDX format (train-images-idx3-ubyte, train-labels-idx1-ubyte, "
    "t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte; plain or .gz) and put the four files";

tl::unexpected<Error> badImages(const std::string& path, const std::string& what) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, what));
}

/// The first of `names` that is in the folder, also with ".gz" after it.
std::optional<std::string> findFile(const std::string& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const char* ending : {"", ".gz"}) {
      std::error_code ignored;
      const fs::path path = fs::path(folder) / (name + ending);
      if (fs::exists(path, ignored)) return path.string();
    }
  return std::nullopt;
}

tl::unexpected<Error> missing(const std::string& folder, const std::string& name, const char* what) {
  return badImages(
      (fs::path(folder) / name).string(),
      fmt::format("is not there; {} into {}; a config may name another folder in data.path", what, folder));
}

constexpr ImageSize kCifarSize{32, 3};
constexpr int kCifarClasses = 10;

/// As much as fits into `left` bytes, which it takes away.
Result<void> addCifar(const std::string& folder, const std::string& name, std::size_t& left, LabelledImages& out) {
  const std::optional<std::string> path = findFile(folder, {name});
  if (!path) return missing(folder, name, kCifarWhat);
  SEPX_ASSIGN(const std::string bytes, readPlainOrGzip(*path, left, "images"));
  left -= bytes.size();
  const std::size_t record = 1 + kCifarSize.values(), count = bytes.size() / record;
  if (bytes.empty()) return badImages(*path, "holds no images; fetch it again");
  if (bytes.size() % record != 0)
    return badImages(*path, fmt::format("is cut short: {} bytes are {} images of {} bytes and {} more; fetch it again",
                                        bytes.size(), count, record, bytes.size() % record));
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::uint8_t>(bytes[i * record]);
    if (label >= kCifarClasses)
      return badImages(*path, fmt::format("the byte at offset {} is {} and should be a class, 0 to 9; this is no file "
                                          "of CIFAR-10's binary version",
                                          i * record, label));
    out.classes.push_back(label);
    const auto pixels = bytes.begin() + static_cast<std::ptrdiff_t>(i * record) + 1;
    out.pixels.insert(out.pixels.end(), pixels, pixels + static_cast<std::ptrdiff_t>(kCifarSize.values()));
  }
  return {};
}

std::vector<std::string> cifarClasses(const std::string& folder) {
  const std::vector<std::string> usual{"airplane", "automobile", "bird",  "cat",  "deer",
                                       "dog",      "frog",       "horse", "ship", "truck"};
  const auto text = readPlainOrGzip((fs::path(folder) / "batches.meta.txt").string(), 4096, "text");
  if (!text) return usual;
  std::vector<std::string> names;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](unsigned char c) { return c < ' ' || c > '~'; });
    if (!line.empty()) names.push_back(line);
  }
  return names.size() == usual.size() ? names : usual;
}

/// A file of bytes with its sizes in the header.
struct Idx {
  std::vector<std::size_t> sizes;
  std::string bytes;       ///< the whole file
  std::size_t header = 0;  ///< bytes of it
};

Result<Idx> readIdxFile(const std::string& path, std::size_t limit) {
  constexpr unsigned char kBytes = 8;  // the type "unsigned byte"
  Idx idx;
  SEPX_ASSIGN(idx.bytes, readPlainOrGzip(path, limit, "images"));
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(idx.bytes[i]); };
  if (idx.bytes.size() < 4 || at(0) != 0 || at(1) != 0 || at(2) != kBytes || at(3) < 1 || at(3) > 4)
    return badImages(path, "does not begin with an IDX header of unsigned bytes (0 0 8 and the number of sizes)");
  idx.header = 4 + 4 * std::size_t{at(3)};
  if (idx.bytes.size() < idx.header)
    return badImages(path, fmt::format("ends inside its header, after {} bytes; fetch it again", idx.bytes.size()));
  double expected = static_cast<double>(idx.header), product = 1;
  for (std::size_t i = 4; i < idx.header; i += 4) {
    idx.sizes.push_back(std::size_t{at(i)} << 24 | std::size_t{at(i + 1)} << 16 | std::size_t{at(i + 2)} << 8 |
                        at(i + 3));
    product *= static_cast<double>(idx.sizes.back());
  }
  expected += product;
  if (static_cast<double>(idx.bytes.size()) != expected)
    return badImages(path, fmt::format("has {} bytes and should have {:.0f} by its header; it is cut short or damaged, "
                                       "fetch it again",
                                       idx.bytes.size(), expected));
  if (product == 0) return badImages(path, "holds no images");
  return idx;
}

std::vector<std::string> idxNames(const std::string& split, const std::string& what, const char* ranks) {
  std::vector<std::string> names;
  for (const char* rank = ranks; *rank != '\0'; ++rank)
    for (const char* between : {"-", "."})
      names.push_back(fmt::format("{}-{}{}idx{}-ubyte", split, what, between, *rank));
  return names;
}

/// One split; its size goes to `size`.
Result<LabelledImages> readIdxSplit(const std::string& folder, const std::string& split, std::size_t& limit,
                                    ImageSize& size) {
  const auto imageNames = idxNames(split, "images", "34"), labelNames = idxNames(split, "labels", "1");
  const auto imagePath = findFile(folder, imageNames), labelPath = findFile(folder, labelNames);
  if (!imagePath) return missing(folder, imageNames.front(), kIdxWhat);
  if (!labelPath) return missing(folder, labelNames.front(), kIdxWhat);
  // The file and the copy of its pixels stand in memory together for a moment.
  SEPX_ASSIGN(Idx images, readIdxFile(*imagePath, limit / 2));
  SEPX_ASSIGN(const Idx labels, readIdxFile(*labelPath, limit));
  const std::size_t rank = images.sizes.size();
  if (rank < 3 || images.sizes[rank - 1] != images.sizes[rank - 2] || images.sizes[rank - 1] > 4096)
    return badImages(*imagePath,
                     "does not hold square images of at most 4096 pixels a side, [count, side, side] or "
                     "[count, channels, side, side]");
  if (rank == 4 && images.sizes[1] > 64)
    return badImages(*imagePath, fmt::format("has {} channels; at most 64 are possible, and they stand before the rows "
                                             "and columns: [count, channels, side, side]",
                                             images.sizes[1]));
  if (labels.sizes.size() != 1 || labels.sizes[0] != images.sizes[0])
    return badImages(*labelPath, fmt::format("must hold one class for each of the {} images of {}", images.sizes[0],
                                             fs::path(*imagePath).filename().string()));
  size = {static_cast<int>(images.sizes.back()), rank == 4 ? static_cast<int>(images.sizes[1]) : 1};
  LabelledImages out;
  out.classes.assign(labels.bytes.begin() + static_cast<std::ptrdiff_t>(labels.header), labels.bytes.end());
  out.pixels.assign(images.bytes.begin() + static_cast<std::ptrdiff_t>(images.header), images.bytes.end());
  limit -= std::min(limit, out.pixels.size());
  return out;
}

}  // namespace

std::string imageFolder(std::string_view name) {
  return (fs::path(dataFolder()) / "datasets" / name).string();
}

Result<ImageFiles> readCifar10(const std::string& folder, std::size_t limit) {
  std::error_code ignored;
  const fs::path inner = fs::path(folder) / "cifar-10-batches-bin";  // what the archive unpacks to
  const std::string where = fs::is_directory(inner, ignored) ? inner.string() : folder;
  ImageFiles files;
  files.size = kCifarSize;
  std::size_t first = 0;
  for (int i = 1; i <= 5; ++i) {
    const std::size_t before = files.train.classes.size();
    const std::string name = fmt::format("data_batch_{}.bin", i);
    SEPX_TRY(addCifar(where, name, limit, files.train));
    const std::size_t count = files.train.classes.size() - before;
    if (i == 1) first = count;
    if (count != first)
      return badImages((fs::path(where) / name).string(),
                       fmt::format("holds {} images and data_batch_1.bin {}; the five files must hold the same number, "
                                   "fetch the one that is cut short again",
                                   count, first));
  }
  SEPX_TRY(addCifar(where, "test_batch.bin", limit, files.validation));
  files.classes = cifarClasses(where);
  return files;
}

Result<ImageFiles> readIdx(const std::string& folder, std::size_t limit) {
  ImageFiles files;
  ImageSize validation;
  SEPX_ASSIGN(files.train, readIdxSplit(folder, "train", limit, files.size));
  SEPX_ASSIGN(files.validation, readIdxSplit(folder, "t10k", limit, validation));
  if (validation != files.size)
    return badImages(folder, fmt::format("the training images have {} x {} x {} numbers and the test images {} x {} x "
                                         "{}; both must be alike",
                                         files.size.channels, files.size.side, files.size.side, validation.channels,
                                         validation.side, validation.side));
  const int most =
      std::max(*std::ranges::max_element(files.train.classes), *std::ranges::max_element(files.validation.classes));
  for (int i = 0; i <= std::max(most, 1); ++i)
    files.classes.push_back(std::to_string(i));
  return files;
}

std::string imageNetSentence() {
  return fmt::format(
      "data.kind \"imagenet\": this program does not unpack ImageNet's JPEG archives; download ILSVRC2012 from "
      "www.image-net.org (an account is needed), write a part of it, at most 256 classes, in one size as IDX files "
      "into "
      "{} with the script of docs/vision.md, and set data.kind \"idx\" and data.path to that folder",
      imageFolder("imagenet"));
}

}  // namespace sepx::data
