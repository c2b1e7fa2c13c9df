// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/family_shape.h"

#include <fmt/format.h>

namespace sepx::checkpoint {

namespace {

// No model has wider projections; the limit keeps every product below within 64 bits.
constexpr std::int64_t kMost = std::int64_t{1} << 26;

constexpr const char* kAsk = "the file does not say how many heads the model has; give the number in the mapping";

bool divides(std::int64_t divisor, std::int64_t number) {
  return divisor > 0 && number % divisor == 0;
}

Result<HeadShape> separate(std::int64_t queries, std::int64_t keys, const HeadHints& hints) {
  HeadShape shape;
  if (hints.heads > 0 && hints.d_h > 0 && queries / 2 / hints.heads == hints.d_h && queries % (2 * hints.heads) == 0) {
    shape.d_h = hints.d_h;
    shape.gated = true;
  } else if (divides(hints.heads, queries)) {
    shape.d_h = queries / hints.heads;
  } else if (divides(hints.d_h, queries)) {
    shape.d_h = hints.d_h;
  } else if (hints.heads > 0) {
    return fail(ErrorKind::Usage,
                fmt::format("has {} outputs, which cannot be divided among {} heads", queries, hints.heads));
  } else if (queries == keys) {
    return HeadShape{1, 1, queries, false, true};
  } else {
    return fail(ErrorKind::Usage, fmt::format("has {} outputs and the keys have {}: {}", queries, keys, kAsk));
  }
  shape.heads = queries / shape.d_h / (shape.gated ? 2 : 1);
  if (!divides(shape.d_h, keys))
    return fail(ErrorKind::Usage,
                fmt::format("has {} heads of {}, but the {} outputs of the keys are not a multiple of the head's width",
                            shape.heads, shape.d_h, keys));
  shape.kvHeads = keys / shape.d_h;
  if (!divides(shape.kvHeads, shape.heads))
    return fail(ErrorKind::Usage, fmt::format("has {} heads of {}, which cannot be divided among {} key heads",
                                              shape.heads, shape.d_h, shape.kvHeads));
  return shape;
}

bool valid(const HeadShape& shape, std::int64_t outputs) {
  return shape.heads > 0 && shape.kvHeads > 0 && shape.d_h > 0 && divides(shape.kvHeads, shape.heads) &&
         (shape.heads + 2 * shape.kvHeads) * shape.d_h == outputs;
}

// H query heads, K key heads and K value heads of d_h in `outputs`.
Result<HeadShape> fused(std::int64_t outputs, std::int64_t inputs, const HeadHints& hints, bool blocks) {
  const std::int64_t H = hints.heads, K = hints.kvHeads;
  HeadShape shape;
  if (H > 0) {
    if (K > 0 && valid(shape = {H, K, outputs / (H + 2 * K)}, outputs)) return shape;
    if (hints.d_h > 0 && valid(shape = {H, (outputs / hints.d_h - H) / 2, hints.d_h}, outputs)) return shape;
    if (valid(shape = {H, H, outputs / (3 * H)}, outputs)) return shape;
    if (const std::int64_t d_h = inputs / H; d_h > 0 && valid(shape = {H, (outputs / d_h - H) / 2, d_h}, outputs))
      return shape;
    return fail(
        ErrorKind::Usage,
        fmt::format("has {} outputs, which cannot be split into queries, keys and values of {} heads", outputs, H));
  }
  if (hints.d_h > 0) {
    const std::int64_t n = outputs / hints.d_h;
    if (valid(shape = {K > 0 ? n - 2 * K : n / 3, K > 0 ? K : n / 3, hints.d_h}, outputs)) return shape;
  }
  // Using one head for the layer is right only if queries and keys are whole blocks and no key is shared.
  if (blocks && K == 0 && outputs % 3 == 0) return HeadShape{1, 1, outputs / 3, false, true};
  return fail(ErrorKind::Usage, fmt::format("has {} outputs: {}", outputs, kAsk));
}

}  // namespace

std::optional<ProjectionShape> projectionShapeOf(const TensorInfo& tensor, const StackRule& rule) {
  std::vector<std::int64_t> shape = tensor.shape;
  for (const std::int64_t length : shape)
    if (length < 1 || length > kMost) return std::nullopt;
  if (rule.perHead)
    return shape.size() == 3 && shape[0] * shape[2] <= kMost
               ? std::optional(ProjectionShape{shape[2], shape[1], shape[0]})
               : std::nullopt;
  while (shape.size() > 2 && shape.back() == 1)
    shape.pop_back();  // a convolution of width 1
  if (shape.size() != 2) return std::nullopt;
  return rule.transposed ? ProjectionShape{shape[1], shape[0], 0} : ProjectionShape{shape[0], shape[1], 0};
}

Result<HeadShape> headsOf(const StackRule& rule, const ProjectionShape& query, const ProjectionShape& key,
                          const HeadHints& hints) {
  if (rule.perHead) {
    if (query.out != key.out || !divides(key.heads, query.heads))
      return fail(ErrorKind::Usage, fmt::format("has {} heads of {}, but the keys have {} of {}: the two do not match",
                                                query.heads, query.out, key.heads, key.out));
    return HeadShape{query.heads, key.heads, query.out};
  }
  if (rule.fusion == Fusion::Separate) return separate(query.out, key.out, hints);
  return fused(query.out, query.in, hints, rule.fusion == Fusion::Blocks);
}

void placeHeads(const StackRule& rule, const HeadShape& shape, ProjectionSource& W_Q, ProjectionSource& W_K) {
  W_Q.transposed = W_K.transposed = rule.transposed;
  W_Q.perHead = W_K.perHead = rule.perHead;
  W_Q.headStride = W_K.headStride = shape.d_h;
  if (shape.gated) W_Q.headStride = 2 * shape.d_h;
  if (rule.perHead || rule.fusion == Fusion::Separate) return;
  if (rule.fusion == Fusion::Blocks) {
    W_K.offset = shape.heads * shape.d_h;
    return;
  }
  const std::int64_t shared = shape.heads / shape.kvHeads;
  const std::int64_t stride = (shared + 2) * shape.d_h;
  W_K.offset = shared * shape.d_h;
  W_K.headStride = stride;
  if (shared == 1) {
    W_Q.headStride = stride;
  } else {
    W_Q.groupHeads = shared;
    W_Q.groupStride = stride;
  }
}

}  // namespace sepx::checkpoint
