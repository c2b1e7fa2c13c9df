// SPDX-License-Identifier: Apache-2.0
#include "engine/render/png.h"

#include <filesystem>
#include <random>

#include <zlib.h>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/engine/core/memory_limit.h"
#include "tests/folders.h"

namespace sepx::render {
namespace {

gpu::Pixels noise(std::uint32_t width, std::uint32_t height, bool opaque) {
  gpu::Pixels pixels{{width, height}, {}};
  std::mt19937 random(3);
  for (std::uint32_t i = 0; i < width * height * 4; ++i) {
    pixels.rgba.push_back(opaque && i % 4 == 3 ? 255 : static_cast<std::uint8_t>(random()));
  }
  return pixels;
}

std::string scratch(const char* name) {
  const auto folder = std::filesystem::path(tests::buildFolder()) / "test_scratch";
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

}  // namespace

TEST_CASE("A picture survives the round trip through a PNG file", "[png]") {
  for (const bool opaque : {true, false}) {
    const gpu::Pixels picture = noise(37, 21, opaque);
    const std::string path = scratch("roundtrip.png");
    REQUIRE(writePng(picture, path));
    const auto back = readPng(path);
    REQUIRE(back);
    CHECK(back->extent == picture.extent);
    CHECK(back->rgba == picture.rgba);
  }
}

TEST_CASE("The same picture gives the same bytes, which contain its texts", "[png]") {
  const gpu::Pixels picture = noise(16, 16, true);
  const PngTexts texts{{"Separatrix-Recipe", "{\"p\": 0.5, \"Θ\": 1}"}};
  const std::string bytes = encodePng(picture, texts);
  CHECK(bytes == encodePng(picture, texts));
  CHECK(bytes.find("iTXtSeparatrix-Recipe") != std::string::npos);
  CHECK(bytes.find(texts[0].second) != std::string::npos);
  CHECK(bytes.find("tIME") == std::string::npos);
}

TEST_CASE("A text is found without decompressing other texts in the file", "[png]") {
  // 40 texts of 32 MiB each, which take 32 kB compressed, in the form that libpng writes.
  const std::string large(std::size_t{32} << 20, 'x');
  const std::string plain = encodePng(noise(4, 4, true), {{"Separatrix-Recipe", "{\"p\": 1}"}});
  const std::string packed = [&] {
    uLongf size = compressBound(large.size());
    std::string out(size, '\0');
    REQUIRE(compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(large.data()),
                      large.size(), 1) == Z_OK);
    out.resize(size);
    return out;
  }();
  const auto number = [](std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
  };
  const std::string body = std::string("zTXtother\0\0", 11) + packed;
  const std::string chunk = number(static_cast<std::uint32_t>(body.size() - 4)) + body +
                            number(static_cast<std::uint32_t>(
                                crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
  constexpr std::size_t kBehindHeader = 33;
  std::string bomb = plain.substr(0, kBehindHeader);
  for (int i = 0; i < 40; ++i)
    bomb += chunk;
  bomb += plain.substr(kBehindHeader);
  const sepx::test::MemoryLimit limit(std::size_t{64} << 20);
  const auto found = textInPng(bomb, "Separatrix-Recipe");
  REQUIRE(found);
  CHECK(*found == std::optional<std::string>("{\"p\": 1}"));
  CHECK(*textInPng(bomb, "nothing") == std::nullopt);
}

TEST_CASE("A text that declares more than its file contains uses no memory", "[png]") {
  std::string bytes = encodePng(noise(4, 4, true), {{"Separatrix-Recipe", "{\"p\": 1}"}});
  bytes.replace(bytes.find("iTXt") - 4, 4, std::string("\x20\0\0\0", 4));
  const sepx::test::MemoryLimit limit(std::size_t{64} << 20);
  const auto found = textInPng(bytes, "Separatrix-Recipe");
  REQUIRE_FALSE(found);
  CHECK(found.error().message == "not a readable PNG picture (the file is cut off)");
}

TEST_CASE("A header that declares more pixels than its file can hold uses no memory", "[png]") {
  const std::string path = scratch("claims.png");
  const auto claiming = [&path](std::uint32_t width, std::uint32_t height) {
    std::string bytes = encodePng(noise(4, 4, true));
    std::string head = "IHDR";
    for (const std::uint32_t side : {width, height})
      for (int shift = 24; shift >= 0; shift -= 8)
        head += static_cast<char>(side >> shift & 0xFFU);
    head += bytes.substr(24, 5);
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(head.data()), static_cast<uInt>(head.size())));
    for (int shift = 24; shift >= 0; shift -= 8)
      head += static_cast<char>(sum >> shift & 0xFFU);
    bytes.replace(12, head.size(), head);
    REQUIRE(writeFile(path, bytes));
    const sepx::test::MemoryLimit limit(std::size_t{64} << 20);
    const auto read = readPng(path);
    REQUIRE_FALSE(read);
    return read.error().message;
  };
  CHECK(claiming(32768, 32768).find("pixels are too many") != std::string::npos);
  CHECK(claiming(8192, 8192).find("too short for 8192 x 8192 pixels") != std::string::npos);
}

TEST_CASE("A picture of one colour with the strongest compression is read", "[png]") {
  // The default level of libpng compresses less. The ratio tested here is that of deflate.
  gpu::Pixels white{{2000, 2000}, std::vector<std::uint8_t>(std::size_t{4} * 2000 * 2000, 255)};
  const std::string path = scratch("white.png");
  REQUIRE(writePng(white, path));
  const auto back = readPng(path);
  REQUIRE(back);
  CHECK(back->rgba == white.rgba);
}

TEST_CASE("Files that are not pictures are refused with their path", "[png]") {
  const std::string whole = encodePng(noise(40, 40, false));
  const std::string path = scratch("broken.png");
  std::string flipped = whole;
  flipped[60] = static_cast<char>(flipped[60] ^ 0x55);
  for (const std::string& bytes :
       {std::string("not a png"), std::string(), whole.substr(0, whole.size() / 2), whole.substr(0, 20), flipped}) {
    REQUIRE(writeFile(path, bytes));
    const auto read = readPng(path);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::BadInput);
    CHECK(read.error().message.find(path) != std::string::npos);
  }
  CHECK_FALSE(readPng(scratch("missing.png")));
}

TEST_CASE("A failure to write is reported", "[png]") {
  const auto nowhere = writePng(noise(4, 4, true), scratch("no/such/folder/picture.png"));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().kind == ErrorKind::OutputFailed);
  CHECK_FALSE(writePng({}, scratch("empty.png")));
}

}  // namespace sepx::render
