// SPDX-License-Identifier: Apache-2.0
#include "engine/render/svg_raster.h"

#include <cstdint>
#include <cstring>
#include <memory>

#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

namespace sepx::render {
namespace {

struct Unref {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(GInputStream* stream) const { g_object_unref(stream); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

/// Converts cairo's native words of premultiplied alpha, red, green, blue.
gpu::Pixels pixelsOf(cairo_surface_t* surface, gpu::Extent extent) {
  cairo_surface_flush(surface);
  const unsigned char* const data = cairo_image_surface_get_data(surface);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  gpu::Pixels pixels;
  pixels.extent = extent;
  pixels.rgba.reserve(std::size_t{4} * extent.width * extent.height);
  for (std::uint32_t y = 0; y < extent.height; ++y) {
    for (std::uint32_t x = 0; x < extent.width; ++x) {
      std::uint32_t word = 0;
      std::memcpy(&word, data + y * stride + std::size_t{4} * x, sizeof word);
      const std::uint32_t alpha = word >> 24;
      for (const int shift : {16, 8, 0}) {
        const std::uint32_t part = word >> shift & 0xFF;
        pixels.rgba.push_back(static_cast<std::uint8_t>(alpha == 0 ? 0 : (part * 255 + alpha / 2) / alpha));
      }
      pixels.rgba.push_back(static_cast<std::uint8_t>(alpha));
    }
  }
  return pixels;
}

}  // namespace

Result<gpu::Pixels> rasterized(const std::string& svg, gpu::Extent extent) {
  GError* error = nullptr;
  const auto failed = [&error](const char* why) {
    const std::string reason = error ? error->message : why;
    g_clear_error(&error);
    return fail(ErrorKind::Internal, fmt::format("a drawing could not be rasterised: {}", reason));
  };
  const std::unique_ptr<GInputStream, Unref> stream(
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr));
  // Unlimited: it has more elements than libxml2 accepts in untrusted documents, and this document was made by this
  // program.
  const std::unique_ptr<RsvgHandle, Unref> handle(
      rsvg_handle_new_from_stream_sync(stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &error));
  if (!handle) return failed("unknown reason");
  const int width = static_cast<int>(extent.width), height = static_cast<int>(extent.height);
  const std::unique_ptr<cairo_surface_t, Unref> surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  const std::unique_ptr<cairo_t, Unref> cairo(cairo_create(surface.get()));
  const RsvgRectangle page{0, 0, static_cast<double>(width), static_cast<double>(height)};
  if (!rsvg_handle_render_document(handle.get(), cairo.get(), &page, &error)) return failed("unknown reason");
  const cairo_status_t status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS) return failed(cairo_status_to_string(status));
  return pixelsOf(surface.get(), extent);
}

}  // namespace sepx::render
