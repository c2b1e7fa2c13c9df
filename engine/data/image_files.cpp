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

namespace sepx::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCifarWhat =
    "download CIFAR-10 in its binary version (cifar-10-binary.tar.gz, from www.cs.toronto.edu/~kriz/cifar.html), "
    "unpack it and put data_batch_1.bin … data_batch_5.bin and test_batch.bin";
constexpr const char* kIdxWhat =
    "download MNIST or other images in the IDX format (train-images-idx3-ubyte, train-labels-idx1-ubyte, "
    "t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte; plain or .gz) and put the four files";

tl::unexpected<Error> badImages(const std::string& path, const std::string& what) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, what));
}

/// The first of `names` that exists in the folder, with or without ".gz" appended.
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

/// Appends the images of a file. Fails if the file has more than `left` bytes, otherwise subtracts its length from
/// `left`.
Result<void> addCifar(const std::string& folder, const std::string& name, std::size_t& left,
                      const WhileReading& whileReading, LabelledImages& out) {
  const std::optional<std::string> path = findFile(folder, {name});
  if (!path) return missing(folder, name, kCifarWhat);
  SEPX_ASSIGN(DataFile file, DataFile::open(*path, "images", whileReading));
  // The format limits the size of a file, so that no more than this is unpacked.
  constexpr std::size_t kMostImages = 10'000;
  const std::size_t record = 1 + kCifarSize.values(), most = kMostImages * record;
  const std::size_t room = std::min(left, most);
  std::string bytes(std::min<std::uint64_t>(room + 1, file.most()), '\0');
  SEPX_ASSIGN(const std::size_t got, file.read(bytes.data(), bytes.size()));
  if (got > left) return tooLong(*path, left, "images");
  if (got > most)
    return badImages(
        *path, fmt::format("holds more than the {} images that a file of CIFAR-10 has; fetch it again", kMostImages));
  bytes.resize(got);
  left -= bytes.size();
  const std::size_t count = bytes.size() / record;
  if (bytes.empty()) return badImages(*path, "holds no images; fetch it again");
  if (bytes.size() % record != 0)
    return badImages(*path, fmt::format("is cut short: {} bytes are {} images of {} bytes and {} more; fetch it again",
                                        bytes.size(), count, record, bytes.size() % record));
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::uint8_t>(bytes[i * record]);
    if (label >= kCifarClasses)
      return badImages(*path,
                       fmt::format("the byte at offset {} is {} and should be a class, 0 to 9; this is not a file "
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

/// An open IDX file of unsigned bytes. Its header, which contains the sizes, has been read.
struct Idx {
  std::string path;
  DataFile file;
  std::vector<std::size_t> sizes;
  std::size_t header = 0;   ///< length of the header, bytes
  std::uint64_t bytes = 0;  ///< length of the data after the header, bytes
};

tl::unexpected<Error> otherLength(const Idx& idx, std::uint64_t has, const char* more) {
  return badImages(idx.path, fmt::format("has {}{} bytes and should have {} by its header; it is cut short or damaged, "
                                         "fetch it again",
                                         more, has, idx.header + idx.bytes));
}

Result<Idx> openIdx(const std::string& path, const WhileReading& whileReading) {
  constexpr unsigned char kBytes = 8;  // the type "unsigned byte"
  constexpr std::size_t kLongest = 4 + 4 * 4;
  SEPX_ASSIGN(DataFile file, DataFile::open(path, "images", whileReading));
  Idx idx{path, std::move(file), {}, 0, 0};
  std::array<unsigned char, kLongest> head{};
  const auto read = [&](std::size_t from, std::size_t count) {
    return idx.file.read(reinterpret_cast<char*>(head.data()) + from, count);
  };
  SEPX_ASSIGN(std::size_t got, read(0, 4));
  if (got < 4 || head[0] != 0 || head[1] != 0 || head[2] != kBytes || head[3] < 1 || head[3] > 4)
    return badImages(path, "does not begin with an IDX header of unsigned bytes (0 0 8 and the number of sizes)");
  idx.header = 4 + 4 * std::size_t{head[3]};
  SEPX_ASSIGN(const std::size_t more, read(4, idx.header - 4));
  got += more;
  if (got < idx.header)
    return badImages(path, fmt::format("ends inside its header, after {} bytes; fetch it again", got));
  double product = 1;
  for (std::size_t i = 4; i < idx.header; i += 4) {
    idx.sizes.push_back(std::size_t{head[i]} << 24 | std::size_t{head[i + 1]} << 16 | std::size_t{head[i + 2]} << 8 |
                        head[i + 3]);
    product *= static_cast<double>(idx.sizes.back());
  }
  if (product == 0) return badImages(path, "holds no images");
  if (product > 1e18) return badImages(path, "has sizes in its header that no file has; fetch it again");
  idx.bytes = static_cast<std::uint64_t>(product);
  return idx;
}

/// Reads the data after the header. Fails if they exceed `limit` bytes or if the length of the file contradicts the
/// header.
Result<std::vector<std::uint8_t>> readBytes(Idx& idx, std::size_t limit) {
  if (!idx.file.packed() && idx.file.size() != idx.header + idx.bytes) return otherLength(idx, idx.file.size(), "");
  if (idx.file.most() < idx.header + idx.bytes) return otherLength(idx, idx.file.most(), "at most ");
  if (idx.bytes > limit) return tooLong(idx.path, limit, "images");
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(idx.bytes));
  SEPX_ASSIGN(const std::size_t got, idx.file.read(reinterpret_cast<char*>(bytes.data()), bytes.size()));
  if (got < bytes.size()) return otherLength(idx, idx.header + got, "");
  char beyond = 0;
  SEPX_ASSIGN(const std::size_t more, idx.file.read(&beyond, 1));
  if (more > 0) return otherLength(idx, idx.header + idx.bytes, "more than ");
  return bytes;
}

std::vector<std::string> idxNames(const std::string& split, const std::string& what, const char* ranks) {
  std::vector<std::string> names;
  for (const char* rank = ranks; *rank != '\0'; ++rank)
    for (const char* between : {"-", "."})
      names.push_back(fmt::format("{}-{}{}idx{}-ubyte", split, what, between, *rank));
  return names;
}

/// Reads one split, sets `size` and subtracts the pixels from `limit`. Both headers are checked before the pixels are
/// read.
Result<LabelledImages> readIdxSplit(const std::string& folder, const std::string& split, std::size_t& limit,
                                    const WhileReading& whileReading, ImageSize& size) {
  const auto imageNames = idxNames(split, "images", "34"), labelNames = idxNames(split, "labels", "1");
  const auto imagePath = findFile(folder, imageNames), labelPath = findFile(folder, labelNames);
  if (!imagePath) return missing(folder, imageNames.front(), kIdxWhat);
  if (!labelPath) return missing(folder, labelNames.front(), kIdxWhat);
  SEPX_ASSIGN(Idx images, openIdx(*imagePath, whileReading));
  SEPX_ASSIGN(Idx labels, openIdx(*labelPath, whileReading));
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
  SEPX_ASSIGN(out.classes, readBytes(labels, limit));
  SEPX_ASSIGN(out.pixels, readBytes(images, limit));
  limit -= std::min(limit, out.pixels.size());
  return out;
}

}  // namespace

std::string imageFolder(std::string_view name) {
  return (fs::path(dataFolder()) / "datasets" / name).string();
}

Result<ImageFiles> readCifar10(const std::string& folder, std::size_t limit, const WhileReading& whileReading) {
  std::error_code ignored;
  const fs::path inner = fs::path(folder) / "cifar-10-batches-bin";  // what the archive unpacks to
  const std::string where = fs::is_directory(inner, ignored) ? inner.string() : folder;
  ImageFiles files;
  files.size = kCifarSize;
  std::size_t first = 0;
  for (int i = 1; i <= 5; ++i) {
    const std::size_t before = files.train.classes.size();
    const std::string name = fmt::format("data_batch_{}.bin", i);
    SEPX_TRY(addCifar(where, name, limit, whileReading, files.train));
    const std::size_t count = files.train.classes.size() - before;
    if (i == 1) first = count;
    if (count != first)
      return badImages((fs::path(where) / name).string(),
                       fmt::format("holds {} images and data_batch_1.bin {}; the five files must hold the same number, "
                                   "fetch the one that is cut short again",
                                   count, first));
  }
  SEPX_TRY(addCifar(where, "test_batch.bin", limit, whileReading, files.validation));
  files.classes = cifarClasses(where);
  return files;
}

Result<ImageFiles> readIdx(const std::string& folder, std::size_t limit, const WhileReading& whileReading) {
  ImageFiles files;
  ImageSize validation;
  SEPX_ASSIGN(files.train, readIdxSplit(folder, "train", limit, whileReading, files.size));
  SEPX_ASSIGN(files.validation, readIdxSplit(folder, "t10k", limit, whileReading, validation));
  if (validation != files.size)
    return badImages(folder, fmt::format("the training images have {} x {} x {} numbers and the test images {} x {} x "
                                         "{}; both must have the same size",
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
      "into {} with the script of docs/vision.md, and set data.kind \"idx\" and data.path to that folder",
      imageFolder("imagenet"));
}

}  // namespace sepx::data
