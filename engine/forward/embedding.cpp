// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/embedding.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "engine/forward/linear_product.h"
#include "engine/forward/stored_norm.h"

namespace sepx::forward {

namespace {

using checkpoint::ImagePlan;
using checkpoint::ModelPlan;
using checkpoint::TensorInfo;

/// Most tokens of a text: a longer one would need too much memory for the pass, in a model without a limit of its own.
constexpr std::size_t kMostPositions = 1 << 16;

/// Number of patches in a row of the image.
int patchesAcross(const ImagePlan& image) {
  return image.image / image.patch;
}
int tokensBefore(const ImagePlan& image) {
  return (image.classToken.empty() ? 0 : 1) + (image.secondToken.empty() ? 0 : 1);
}

Result<int> positionsOfImage(const ImagePlan& image, const Input& input) {
  if (!input.ids.empty()) return fail(ErrorKind::Usage, "this model reads images: give pixels in place of tokens");
  const std::size_t pixels = asSize(image.channels) * asSize(image.image) * asSize(image.image);
  if (input.pixels.size() != pixels)
    return fail(ErrorKind::Usage,
                fmt::format("an image of this model has {} numbers ({} x {} pixels, {} channels), {} were given",
                            pixels, image.image, image.image, image.channels, input.pixels.size()));
  return tokensBefore(image) + patchesAcross(image) * patchesAcross(image);
}

/// Adds rows of a table [rows, width] to the rows of x, from row `first` on; `step` 0: the same row to all.
template <class T>
Result<void> addTable(TensorReader& reader, const std::string& name, std::uint64_t first, std::size_t step,
                      std::size_t positions, std::size_t width, T* x) {
  if (name.empty()) return {};
  SEPX_ASSIGN(const std::vector<T> table, reader.values<T>(name, first * width, step == 0 ? width : positions * width));
  for (std::size_t n = 0; n < positions; ++n)
    for (std::size_t j = 0; j < width; ++j)
      x[n * width + j] += table[n * step * width + j];
  return {};
}

template <class T>
Result<std::vector<T>> project(TensorReader& reader, ThreadPool& pool, const checkpoint::LinearSource& source,
                               std::size_t positions, const std::vector<T>& x) {
  SEPX_ASSIGN(const Linear<T> linear, linearOf<T>(reader, source));
  if (linear.in * positions != x.size())
    return fail(ErrorKind::BadInput, fmt::format("{}: tensor {} does not fit the width of the embedding", reader.path(),
                                                 inQuotes(source.tensor)));
  std::vector<T> y(positions * linear.out);
  SEPX_TRY(multiply(reader, pool, Factor<T>(pool, positions, linear.in, x.data()), linear, y.data(), linear.out));
  return y;
}

template <class T>
Result<std::vector<T>> tokenRows(TensorReader& reader, const ModelPlan& plan, std::span<const std::int32_t> ids,
                                 std::size_t width) {
  SEPX_ASSIGN(const TensorInfo* table, reader.find(plan.tokenEmbedding));
  if (width > table->values())
    return fail(ErrorKind::BadInput,
                fmt::format("{}: tensor {} has the shape [{}], its rows should be {} wide", reader.path(),
                            inQuotes(table->name), fmt::join(table->shape, ", "), width));
  std::vector<T> x(ids.size() * width);
  const T scale = static_cast<T>(plan.embeddingScale);
  for (std::size_t n = 0; n < ids.size(); ++n) {
    T* const row = x.data() + n * width;
    SEPX_TRY(reader.read(*table, static_cast<std::uint64_t>(ids[n]) * width, width, row));
    for (std::size_t j = 0; scale != 1 && j < width; ++j)
      row[j] *= scale;
  }
  return x;
}

template <class T>
Result<std::vector<T>> embedTokens(TensorReader& reader, ThreadPool& pool, const ModelPlan& plan,
                                   std::span<const std::int32_t> ids, std::size_t first) {
  const std::size_t n = ids.size();
  std::size_t width =
      plan.embeddingProjection ? static_cast<std::size_t>(plan.embeddingProjection->in) : asSize(plan.d_model);
  SEPX_ASSIGN(std::vector<T> x, tokenRows<T>(reader, plan, ids, width));
  bool narrow = plan.embeddingProjection.has_value();
  if (narrow && !plan.positionEmbedding.empty()) {
    // Position embeddings as wide as the stream are added after the projection (OPT), narrower ones before it (ALBERT).
    SEPX_ASSIGN(const TensorInfo* positions, reader.find(plan.positionEmbedding));
    if (!positions->shape.empty() && positions->shape.back() != static_cast<std::int64_t>(width)) {
      SEPX_ASSIGN(x, project(reader, pool, *plan.embeddingProjection, n, x));
      width = x.size() / n;
      narrow = false;
    }
  }
  SEPX_TRY(addTable(reader, plan.positionEmbedding, static_cast<std::uint64_t>(plan.positionOffset) + first, 1, n,
                    width, x.data()));
  SEPX_TRY(addTable(reader, plan.segments, 0, 0, n, width, x.data()));
  SEPX_TRY(applyNorm(reader, pool, plan.embeddingNorm, n, width, x.data()));
  if (narrow) return project(reader, pool, *plan.embeddingProjection, n, x);
  return x;
}

/// Patches as rows, [patches, channels side side].
template <class T>
std::vector<T> cutPatches(const ImagePlan& image, const std::vector<float>& pixels) {
  const std::size_t across = asSize(patchesAcross(image)), side = asSize(image.patch), whole = asSize(image.image);
  const std::size_t channels = asSize(image.channels), values = channels * side * side;
  std::vector<T> rows(across * across * values);
  for (std::size_t patch = 0; patch < across * across; ++patch)
    for (std::size_t channel = 0; channel < channels; ++channel)
      for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) {
          const std::size_t row = patch / across * side + i, column = patch % across * side + j;
          const std::size_t place =
              image.patchFirst ? (i * side + j) * channels + channel : (channel * side + i) * side + j;
          rows[patch * values + place] = static_cast<T>(pixels[(channel * whole + row) * whole + column]);
        }
  return rows;
}

template <class T>
Result<std::vector<T>> embedImage(TensorReader& reader, ThreadPool& pool, const ModelPlan& plan, const Input& input) {
  const ImagePlan& image = *plan.image;
  const std::size_t d = asSize(plan.d_model), patches = asSize(patchesAcross(image)) * asSize(patchesAcross(image));
  std::vector<T> rows = cutPatches<T>(image, input.pixels);
  SEPX_TRY(applyNorm(reader, pool, image.patchNorm, patches, rows.size() / patches, rows.data()));
  SEPX_ASSIGN(std::vector<T> x, project(reader, pool, image.patches, patches, rows));
  if (x.size() != patches * d)
    return fail(ErrorKind::BadInput, fmt::format("{}: a patch becomes {} numbers, the model is {} wide", reader.path(),
                                                 x.size() / patches, d));
  SEPX_TRY(applyNorm(reader, pool, image.patchedNorm, patches, d, x.data()));
  std::vector<T> before;
  for (const std::string& name : {image.classToken, image.secondToken}) {
    if (name.empty()) continue;
    SEPX_ASSIGN(const std::vector<T> token, reader.values<T>(name, 0, d));
    before.insert(before.end(), token.begin(), token.end());
  }
  x.insert(x.begin(), before.begin(), before.end());
  SEPX_TRY(addTable(reader, image.positions, 0, 1, x.size() / d, d, x.data()));
  SEPX_TRY(applyNorm(reader, pool, plan.embeddingNorm, x.size() / d, d, x.data()));
  return x;
}

}  // namespace

Result<int> positionsOf(const ModelPlan& plan, const Input& input) {
  if (plan.image) return positionsOfImage(*plan.image, input);
  if (!input.pixels.empty()) return fail(ErrorKind::Usage, "this model reads tokens: give a text in place of an image");
  if (input.ids.empty()) return fail(ErrorKind::Usage, "there are no tokens to read: give a text or ids");
  const std::size_t most =
      plan.positions > 0 ? std::min(static_cast<std::size_t>(plan.positions), kMostPositions) : kMostPositions;
  if (input.ids.size() > most)
    return fail(ErrorKind::Usage, fmt::format("{} tokens are too many for this model: it reads at most {}; shorten the "
                                              "text",
                                              input.ids.size(), most));
  for (std::size_t n = 0; n < input.ids.size(); ++n)
    if (input.ids[n] < 0 || input.ids[n] >= plan.vocabulary)
      return fail(ErrorKind::Usage,
                  fmt::format("token {} at position {} is outside the vocabulary of the model: ids are "
                              "0 to {}",
                              input.ids[n], n, plan.vocabulary - 1));
  return static_cast<int>(input.ids.size());
}

template <class T>
Result<std::vector<T>> embed(TensorReader& reader, ThreadPool& pool, const ModelPlan& plan, const Input& input,
                             int positions, int first) {
  const std::span<const std::int32_t> ids(input.ids);
  SEPX_ASSIGN(std::vector<T> x, plan.image
                                    ? embedImage<T>(reader, pool, plan, input)
                                    : embedTokens<T>(reader, pool, plan, ids.subspan(asSize(first)), asSize(first)));
  if (x.size() != asSize(positions) * asSize(plan.d_model))
    return fail(ErrorKind::BadInput, fmt::format("{}: the embedding is {} wide, but the model is {} wide",
                                                 reader.path(), x.size() / asSize(positions), plan.d_model));
  return x;
}

template Result<std::vector<float>> embed<float>(TensorReader&, ThreadPool&, const ModelPlan&, const Input&, int, int);
template Result<std::vector<double>> embed<double>(TensorReader&, ThreadPool&, const ModelPlan&, const Input&, int,
                                                   int);

}  // namespace sepx::forward
