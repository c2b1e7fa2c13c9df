// SPDX-License-Identifier: Apache-2.0
#include "app/cli/thumbnail.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <vector>

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>
#include <unistd.h>

#include "app/cli/text.h"
#include "engine/attention/tiles.h"
#include "engine/checkpoint/load_factors.h"
#include "engine/checkpoint/model_cache.h"
#include "engine/core/regular_file.h"
#include "engine/core/try.h"
#include "engine/render/image_colors.h"
#include "engine/render/svg_writer.h"
#include "ui/canvas/theme.h"
#include "ui/workbench/file_kind.h"
#include "ui/workbench/workbench.h"

namespace sepx::app::cli {
namespace {

using checkpoint::AttentionLayer;
using Eigen::Index;

// --- weights ---

constexpr int kLeastTile = 8;         // pixels per side of a head's tile
constexpr double kMostBytes = 64e6;   // read from the file: what a cold disk delivers in half a second
constexpr double kMostValues = 8e6;   // values of the factors that are converted and averaged
constexpr double kShownShare = 0.99;  // share of a tile's absolute values within its colour scale

/// The layers and heads that have a tile: evenly spaced, and few enough for the limits above.
struct HeadGrid {
  std::vector<AttentionLayer> layers;
  int heads = 1;
};

double bytesOf(const checkpoint::Checkpoint& checkpoint, const std::string& tensor) {
  const checkpoint::TensorInfo* info = checkpoint.find(tensor);
  return info != nullptr ? static_cast<double>(info->bytes) : std::numeric_limits<double>::infinity();
}

/// Bytes of the pages with the outputs of `heads` heads. If a tensor is stored as [in, out], the columns of a head lie
/// in as many pages as there are rows.
double pagesOf(const checkpoint::Checkpoint& checkpoint, const checkpoint::ProjectionSource& source, int heads,
               int rows, double share) {
  constexpr double kPage = 4096;
  const double all = bytesOf(checkpoint, source.tensor);
  return source.transposed ? std::min(all, kPage * rows * heads) : all * share;
}

/// Adds the bytes of the file and the values of the factors that `heads` heads of a layer need.
void addCost(const checkpoint::Checkpoint& checkpoint, const AttentionLayer& layer, int heads, double& bytes,
             double& values) {
  const double share = static_cast<double>(heads) / layer.heads;
  const double pages = pagesOf(checkpoint, layer.W_Q, heads, layer.d_model, share) +
                       pagesOf(checkpoint, layer.W_K, heads, layer.d_key, share);
  bytes += layer.W_Q.tensor == layer.W_K.tensor ? std::min(pages, bytesOf(checkpoint, layer.W_Q.tensor)) : pages;
  values += static_cast<double>(heads) * layer.d_h * (static_cast<double>(layer.d_model) + layer.d_key);
}

/// If a file does not contain the number of heads (the config is a separate file, which a thumbnailer cannot see), its
/// layers have one head of full width. Such a layer is split into heads of the usual width; W_qk is still their sum.
AttentionLayer splitHeads(AttentionLayer layer) {
  constexpr int kUsual = 64, kUsualOfLarge = 128, kLarge = 2048;
  if (layer.heads != 1 || layer.kvHeads != 1 || layer.d_h != layer.d_model || layer.W_Q.perHead || layer.W_K.perHead)
    return layer;
  const int width = layer.d_model >= kLarge ? kUsualOfLarge : kUsual;
  if (layer.d_h % width != 0) return layer;
  layer.heads = layer.kvHeads = layer.d_h / width;
  layer.d_h = width;
  for (checkpoint::ProjectionSource* source : {&layer.W_Q, &layer.W_K})
    source->headStride = width;
  return layer;
}

/// Position of item `index` of `count` items that are spread evenly over `all` positions.
int spread(int index, int count, int all) {
  return count < 2 ? 0 : static_cast<int>(std::lround(static_cast<double>(index) * (all - 1) / (count - 1)));
}

Result<HeadGrid> gridOf(const checkpoint::Model& model, int side) {
  std::vector<AttentionLayer> all;
  for (const AttentionLayer& layer : model.map.layers)
    if (layer.stack == model.map.layers.front().stack) all.push_back(splitHeads(layer));
  if (all.empty())
    return failf(ErrorKind::BadInput, N_("{}: no attention was found in it, so there are no heads to show"),
                 model.checkpoint->path());
  const int most = std::max(1, side / kLeastTile);
  int rows = std::min(most, static_cast<int>(all.size())), columns = most;
  for (const AttentionLayer& layer : all)
    columns = std::min(columns, layer.heads);
  for (;;) {
    HeadGrid grid;
    grid.heads = columns;
    double bytes = 0, values = 0;
    for (int row = 0; row < rows; ++row) {
      grid.layers.push_back(all[static_cast<std::size_t>(spread(row, rows, static_cast<int>(all.size())))]);
      addCost(*model.checkpoint, grid.layers.back(), columns, bytes, values);
    }
    if (bytes <= kMostBytes && values <= kMostValues) return grid;
    if (rows == 1 && columns == 1)
      return failf(ErrorKind::BadInput, N_("{}: one head of it is too large for a thumbnail"),
                   model.checkpoint->path());
    (rows >= columns ? rows : columns) -= 1;
  }
}

/// W_qk of a head, averaged to at most `side` x `side`, and drawn into the square of that side at (left, top).
void drawHead(const attention::LayerFactors& factors, int left, int top, int side, gpu::Pixels& into) {
  const auto source = attention::makeTileSource(std::make_shared<const attention::LayerFactors>(factors), nullptr);
  const Index step = std::max<Index>(1, (std::max(source->rows(), source->columns()) + side - 1) / side);
  const attention::Picture picture =
      source->picture({0, source->rows(), 0, source->columns()}, step, attention::Part::Full, attention::Pool::Mean);
  std::vector<float> sizes;
  for (const float value : picture.values)
    if (std::isfinite(value)) sizes.push_back(std::abs(value));
  if (sizes.empty()) return;
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(kShownShare * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), at, sizes.end());
  render::Heatmap map;
  map.width = static_cast<int>(picture.columns);
  map.height = static_cast<int>(picture.rows);
  map.map = render::ColorMap::Diverging;
  map.high = *at > 0 ? *at : 1;
  map.low = -map.high;
  map.values = std::make_shared<const std::vector<float>>(picture.values);
  const gpu::Pixels colors = render::colored(map, {0, 0, map.width, map.height});
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const std::size_t from = 4 * (static_cast<std::size_t>(y * map.height / side) * colors.extent.width +
                                    static_cast<std::size_t>(x * map.width / side));
      const std::size_t to =
          4 * (static_cast<std::size_t>(top + y) * into.extent.width + static_cast<std::size_t>(left + x));
      std::copy_n(colors.rgba.begin() + static_cast<std::ptrdiff_t>(from), 4,
                  into.rgba.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
}

/// BadInput for a safetensors file whose header takes longer to read than a file manager waits. Its length is the
/// first number of the file, little-endian.
Result<void> checkHeader(const std::string& path) {
  constexpr std::uint64_t kMost = 6 << 20;  // bytes of JSON: some 50,000 tensors
  const auto opened = openRegular(path);
  std::uint64_t length = 0;
  if (!opened || ::pread(opened->file.get(), &length, sizeof length, 0) != sizeof length || length <= kMost) return {};
  return failf(ErrorKind::BadInput, N_("{}: its header is too large for a thumbnail"), path);
}

Result<gpu::Pixels> weightsThumbnail(const std::string& path, int side) {
  SEPX_ASSIGN(const auto model, checkpoint::openModel(path));
  if (!model->map.noQkReason.empty()) return fail(ErrorKind::BadInput, path + ": " + model->map.noQkReason);
  SEPX_ASSIGN(const HeadGrid grid, gridOf(*model, side));
  const int rows = static_cast<int>(grid.layers.size());
  const int cell = side / std::max(rows, grid.heads);
  const int gap = cell > kLeastTile ? 1 : 0;
  gpu::Pixels pixels;
  pixels.extent = {static_cast<std::uint32_t>(cell * grid.heads - gap), static_cast<std::uint32_t>(cell * rows - gap)};
  pixels.rgba.assign(std::size_t{4} * pixels.extent.width * pixels.extent.height, 0);  // transparent between tiles
  for (int row = 0; row < rows; ++row) {
    const AttentionLayer& layer = grid.layers[static_cast<std::size_t>(row)];
    for (int column = 0; column < grid.heads; ++column) {
      const int head = spread(column, grid.heads, layer.heads);
      SEPX_ASSIGN(const auto factors, checkpoint::loadFactors(*model->checkpoint, layer, {.head = head}));
      drawHead(factors, cell * column, cell * row, cell - gap, pixels);
    }
  }
  return pixels;
}

// --- sessions ---

constexpr double kPageWidth = 480, kPageHeight = 360;  // points: the picture before it is scaled down
constexpr double kPatience = 0.6;                      // seconds; then the thumbnail shows what is complete
constexpr double kTick = 1.0 / 60;                     // seconds of simulated time

/// Text is not readable in a thumbnail, and it costs the time to find typefaces.
render::Scene withoutText(const render::Scene& scene) {
  render::Scene plain = scene;
  for (render::Layer& layer : plain.layers)
    std::erase_if(layer.items, [](const render::Item& item) { return std::holds_alternative<render::Label>(item); });
  return plain;
}

bool nothingIn(const std::vector<render::Scene>& scenes) {
  return std::all_of(scenes.begin(), scenes.end(), [](const render::Scene& scene) {
    return std::all_of(scene.layers.begin(), scene.layers.end(),
                       [](const render::Layer& layer) { return layer.items.empty(); });
  });
}

struct CairoDeleter {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};

/// Rasterises an SVG document of this program.
Result<gpu::Pixels> rasterised(const std::string& svg, int width, int height) {
  const std::unique_ptr<GInputStream, decltype(&g_object_unref)> stream(
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr), &g_object_unref);
  const std::unique_ptr<RsvgHandle, CairoDeleter> handle(
      rsvg_handle_new_from_stream_sync(stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, nullptr));
  const std::unique_ptr<cairo_surface_t, CairoDeleter> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height));
  const std::unique_ptr<cairo_t, CairoDeleter> cairo(cairo_create(surface.get()));
  const RsvgRectangle page{0, 0, static_cast<double>(width), static_cast<double>(height)};
  if (!handle || !rsvg_handle_render_document(handle.get(), cairo.get(), &page, nullptr))
    return fail(ErrorKind::Internal, tr(N_("the picture of the session could not be made")));
  cairo_surface_flush(surface.get());
  gpu::Pixels pixels;
  pixels.extent = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  const unsigned char* const rows = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  // The page is opaque, so that premultiplied colours are the colours themselves.
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
    for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
      std::uint32_t argb = 0;
      std::copy_n(rows + y * stride + 4 * x, 4, reinterpret_cast<unsigned char*>(&argb));
      for (const int shift : {16, 8, 0})
        pixels.rgba.push_back(static_cast<std::uint8_t>(argb >> shift & 0xFFU));
      pixels.rgba.push_back(255);
    }
  return pixels;
}

/// Runs frames until the picture is complete or kPatience has passed.
void settleWorkbench(ui::Workbench& workbench) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience);
  const auto left = [&end] { return std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count(); };
  for (double seconds = kTick; left() > 0; seconds += kTick) {
    static_cast<void>(workbench.jobLanes().waitForPublications(std::max(0.001, left())));
    ui::HostFrame host;
    host.seconds = seconds;
    workbench.tick({static_cast<std::uint32_t>(kPageWidth), static_cast<std::uint32_t>(kPageHeight)}, host);
    if (seconds > 2 * kTick && workbench.settled() && !workbench.needsFrame()) return;
  }
}

/// A file manager hides /etc, and fontconfig reports the missing files on standard error. No text is drawn, so
/// fontconfig gets a configuration without typefaces.
void withoutTypefaces() {
  std::error_code ignored;
  if (std::getenv("FONTCONFIG_FILE") == nullptr && !std::filesystem::exists("/etc/fonts/fonts.conf", ignored))
    FcConfigSetCurrent(FcConfigCreate());
}

Result<gpu::Pixels> sessionThumbnail(const std::string& path, int side, const Options& common) {
  constexpr std::uintmax_t kMost = 2 << 20;  // bytes: some 20,000 points
  std::error_code unknown;
  if (const std::uintmax_t size = std::filesystem::file_size(path, unknown); !unknown && size > kMost)
    return failf(ErrorKind::BadInput, N_("{}: this session is too large for a thumbnail"), path);
  withoutTypefaces();
  Options mine = common;
  mine.compute = ui::Compute::Cpu;
  mine.theme = "light";
  ui::WorkbenchOptions options = workbenchOptions(mine, true);
  options.figure = true;
  options.legend = false;
  ui::Workbench workbench(options);
  SEPX_TRY(workbench.open(path));
  settleWorkbench(workbench);
  std::vector<render::Scene> plain;
  for (const render::PlacedScene& one : workbench.scenes())
    plain.push_back(withoutText(*one.scene));
  if (nothingIn(plain))
    return failf(ErrorKind::BadInput, N_("{}: the file of this session contains nothing that can be drawn"), path);
  std::vector<render::PlacedScene> placed = workbench.scenes();
  for (std::size_t i = 0; i < placed.size(); ++i)
    placed[i].scene = &plain[i];
  const render::SvgPage page{kPageWidth, kPageHeight, 0, 0, ui::findTheme(mine.theme)->plotBackground};
  return rasterised(render::toSvg(placed, page), side, static_cast<int>(std::lround(side * kPageHeight / kPageWidth)));
}

}  // namespace

Result<gpu::Pixels> thumbnailOf(const std::string& path, int side, const Options& common) {
  const auto format = checkpoint::formatOf(path);
  if (format == checkpoint::Format::Safetensors) SEPX_TRY(checkHeader(path));
  if (format == checkpoint::Format::Safetensors || format == checkpoint::Format::Gguf)
    return weightsThumbnail(path, side);
  SEPX_ASSIGN(const ui::FileKind kind, ui::kindOf(path));
  if (kind == ui::FileKind::Session) return sessionThumbnail(path, side, common);
  return failf(ErrorKind::BadInput, N_("{}: thumbnails can be made only of sessions, safetensors and GGUF files"),
               path);
}

}  // namespace sepx::app::cli
