// SPDX-License-Identifier: Apache-2.0
// libpng reports errors by longjmp, which must not skip a destructor. Everything that it touches is therefore created
// before setjmp, and the handler only stores the message. The callbacks do not throw, because libpng does not handle
// exceptions.
#include "engine/render/png.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <png.h>

#include "engine/core/file.h"
#include "engine/core/try.h"

namespace sepx::render {
namespace {

// zlib level 3 with the Up filter takes a third of the time of the defaults on plots, at nearly the same size (a few
// percent).
constexpr int kLevel = 3;
constexpr png_alloc_size_t kLargestText = png_alloc_size_t{64} << 20;
constexpr std::size_t kMostRead = std::size_t{64} << 20;
constexpr std::size_t kMostUnpacked = 1032;  // maximum number of bytes that one byte of deflate data becomes
constexpr png_uint_32 kMostTexts = 8;        // texts that are kept while the pixels are read, 8 MB each

struct Session {
  std::string message;
  std::string_view input;
  std::size_t read = 0;
  std::string output;
  bool outOfMemory = false;
};

void onError(png_structp png, png_const_charp message) noexcept {
  auto* session = static_cast<Session*>(png_get_error_ptr(png));
  try {
    session->message = message;
  } catch (const std::bad_alloc&) {
    session->outOfMemory = true;
  }
  png_longjmp(png, 1);
}
void onWarning(png_structp, png_const_charp) {}

void onWrite(png_structp png, png_bytep data, std::size_t length) noexcept {
  auto* session = static_cast<Session*>(png_get_io_ptr(png));
  try {
    session->output.append(reinterpret_cast<const char*>(data), length);
  } catch (const std::bad_alloc&) {
    session->outOfMemory = true;
  }
  if (session->outOfMemory) png_longjmp(png, 1);
}
void onFlush(png_structp) {}

void onRead(png_structp png, png_bytep data, std::size_t length) {
  auto* session = static_cast<Session*>(png_get_io_ptr(png));
  if (session->input.size() - session->read < length) png_error(png, "the file is cut off");
  std::memcpy(data, session->input.data() + session->read, length);
  session->read += length;
}

/// The chunks of a PNG before its pixels that are needed to read one text: the critical ones and the first text with
/// that key. Other texts of an untrusted file are not decompressed.
std::string partsFor(std::string_view bytes, std::string_view key) {
  constexpr std::size_t kSignature = 8, kAround = 12, kHead = 8;  // chunk: length, type, data, checksum
  const std::string name = std::string(key) + '\0';
  std::string kept(bytes.substr(0, kSignature));
  bool found = false;
  for (std::size_t at = kSignature; at < bytes.size();) {
    const std::string_view rest = bytes.substr(at);
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4 && i < rest.size(); ++i)
      length = length << 8 | static_cast<unsigned char>(rest[i]);
    if (rest.size() < kHead) return kept;
    const std::string_view type = rest.substr(4, 4);
    if (type == "IDAT") return kept.append(rest.substr(0, kHead));
    // The chunk is cut off. It is omitted, because libpng would allocate memory for its claimed length; libpng then
    // reports the missing end.
    if (rest.size() < kAround || rest.size() - kAround < length) return kept;
    const bool text =
        !found && (type == "iTXt" || type == "tEXt" || type == "zTXt") && rest.substr(kHead, length).starts_with(name);
    found = found || text;
    const bool critical = (static_cast<unsigned char>(type[0]) & 0x20U) == 0;
    if (critical || text) kept.append(rest.substr(0, kAround + length));
    at += kAround + length;
  }
  return kept;
}

bool opaque(const gpu::Pixels& pixels) {
  for (std::size_t i = 3; i < pixels.rgba.size(); i += 4) {
    if (pixels.rgba[i] != 255) return false;
  }
  return true;
}

// Only plain data between setjmp and the calls that may jump back.
bool write(png_structp png, png_infop info, const gpu::Pixels& pixels, bool alpha, png_text* texts, int textCount) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_compression_level(png, kLevel);
  png_set_filter(png, 0, PNG_FILTER_UP);
  png_set_IHDR(png, info, pixels.extent.width, pixels.extent.height, 8,
               alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (textCount > 0) png_set_text(png, info, texts, textCount);
  png_write_info(png, info);
  if (!alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (std::uint32_t row = 0; row < pixels.extent.height; ++row) {
    png_write_row(png, pixels.rgba.data() + std::size_t{4} * pixels.extent.width * row);
  }
  png_write_end(png, info);
  return true;
}

/// `rowBytes`: number of bytes of a row as stored in the file.
bool readHead(png_structp png, png_infop info, std::size_t* rowBytes) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_info(png, info);
  *rowBytes = png_get_rowbytes(png, info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  return true;
}

/// Why a picture of that size is not read; empty if it is read. No memory is allocated for the claimed size unless the
/// file is long enough for it. The rows of an interlaced picture have at least as many bytes in total.
std::string whyTooLarge(std::size_t width, std::size_t height, std::size_t rowBytes, std::size_t fileBytes) {
  if (width * height > kMostRead) return fmt::format("{} x {} pixels are too many", width, height);
  const std::size_t whole = rowBytes > 0 ? rowBytes - 1 : 0;  // the last byte of a row may hold only one pixel
  if (whole * height / kMostUnpacked > fileBytes)
    return fmt::format("the file is too short for {} x {} pixels", width, height);
  return {};
}

bool readTexts(png_structp png, png_infop info) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_chunk_malloc_max(png, kLargestText);
  png_read_info(png, info);
  return true;
}

bool readRows(png_structp png, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_read_image(png, rows);
  png_read_end(png, nullptr);
  return true;
}

}  // namespace

std::string encodePng(const gpu::Pixels& pixels, const PngTexts& texts) {
  if (pixels.extent.width == 0 || pixels.extent.height == 0) return {};
  std::vector<png_text> chunks(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    chunks[i].compression = PNG_ITXT_COMPRESSION_NONE;
    chunks[i].key = const_cast<char*>(texts[i].first.c_str());
    chunks[i].text = const_cast<char*>(texts[i].second.c_str());
    chunks[i].itxt_length = texts[i].second.size();
    chunks[i].lang = const_cast<char*>("");
    chunks[i].lang_key = const_cast<char*>("");
  }
  Session session;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &session, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (info) {
    png_set_write_fn(png, &session, onWrite, onFlush);
    if (!write(png, info, pixels, !opaque(pixels), chunks.data(), static_cast<int>(chunks.size())))
      session.output.clear();
  }
  png_destroy_write_struct(&png, &info);
  if (session.outOfMemory) throw std::bad_alloc();
  return std::move(session.output);
}

Result<void> writePng(const gpu::Pixels& pixels, const std::string& path, const PngTexts& texts) {
  const std::string bytes = encodePng(pixels, texts);
  if (bytes.empty()) {
    return fail(ErrorKind::OutputFailed, fmt::format("{}: a picture of {} x {} pixels cannot be written as PNG", path,
                                                     pixels.extent.width, pixels.extent.height));
  }
  return writeFile(path, bytes);
}

Result<gpu::Pixels> readPng(const std::string& path) {
  SEPX_ASSIGN(const std::string bytes, readFile(path));
  Session session;
  session.input = bytes;
  gpu::Pixels pixels;
  std::vector<png_bytep> rows;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  bool good = false;
  std::size_t rowBytes = 0;
  if (info) {
    png_set_read_fn(png, &session, onRead);
    png_set_user_limits(png, 32768, 32768);
    png_set_chunk_cache_max(png, kMostTexts);
    good = readHead(png, info, &rowBytes);
  }
  if (good) {
    pixels.extent = {png_get_image_width(png, info), png_get_image_height(png, info)};
    session.message = whyTooLarge(pixels.extent.width, pixels.extent.height, rowBytes, bytes.size());
    good = session.message.empty();
  }
  if (good) {
    const std::size_t stride = std::size_t{4} * pixels.extent.width;
    pixels.rgba.resize(stride * pixels.extent.height);
    for (std::size_t row = 0; row < pixels.extent.height; ++row)
      rows.push_back(pixels.rgba.data() + stride * row);
    good = readRows(png, rows.data());
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (good) return pixels;
  return fail(ErrorKind::BadInput,
              fmt::format("{}: not a readable PNG picture ({}); save it again or name another file", path,
                          session.message.empty() ? "out of memory" : session.message));
}

Result<std::optional<std::string>> textInPng(std::string_view bytes, std::string_view key) {
  const std::string parts = partsFor(bytes, key);
  Session session;
  session.input = parts;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &session, onError, onWarning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  std::optional<std::string> text;
  bool good = false;
  if (info) {
    png_set_read_fn(png, &session, onRead);
    good = readTexts(png, info);
  }
  if (good) {
    png_textp texts = nullptr;
    const int count = png_get_text(png, info, &texts, nullptr);
    for (int i = 0; i < count && !text; ++i) {
      if (key == texts[i].key && texts[i].text) text = texts[i].text;
    }
  }
  png_destroy_read_struct(&png, &info, nullptr);
  if (good) return text;
  return fail(ErrorKind::BadInput, fmt::format("not a readable PNG picture ({})",
                                               session.message.empty() ? "out of memory" : session.message));
}

}  // namespace sepx::render
