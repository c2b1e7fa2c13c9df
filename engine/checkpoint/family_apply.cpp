// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/family_apply.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/checkpoint/family_shape.h"
#include "engine/checkpoint/family_text.h"
#include "engine/core/terminal_text.h"

namespace sepx::checkpoint {

namespace {

constexpr std::size_t kMostLayers = 4096;

using Group = std::vector<NameIndex::Found>;

// Whether a prefix belongs to an image or audio tower or to a draft model; these rank after the text model.
bool isSideTower(std::string_view prefix) {
  for (const char* word : {"vision", "visual", "image", "audio", "mm_", "draft"})
    if (prefix.find(word) != std::string_view::npos) return true;
  return false;
}

// All layers after one prefix, by increasing number; the group with the most layers first, side towers last.
std::vector<Group> groupsOf(const NameIndex& names, const std::string& pattern) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> place;
  for (NameIndex::Found& found : names.find(pattern)) {
    const auto [at, isNew] = place.try_emplace(found.prefix, groups.size());
    if (isNew) groups.emplace_back();
    groups[at->second].push_back(std::move(found));
  }
  for (Group& group : groups)
    std::sort(group.begin(), group.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  const auto side = std::stable_partition(groups.begin(), groups.end(),
                                          [](const Group& one) { return !isSideTower(one.front().prefix); });
  const auto larger = [](const Group& a, const Group& b) { return a.size() > b.size(); };
  std::stable_sort(groups.begin(), side, larger);
  std::stable_sort(side, groups.end(), larger);
  return groups;
}

std::int64_t valuesOf(const TensorInfo& tensor) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(tensor.values(), std::uint64_t{1} << 40));
}

/// Whether the config's number of heads overrides that of the rule, which the user set for another checkpoint.
bool configWins(const FamilyRule& rule, int said) {
  return said > 0 && rule.heads > 0 && rule.heads != said && rule.insteadOf != said;
}

// Builds one layer of one stack.
class Builder {
 public:
  Builder(const NameIndex& names, const ModelConfig& config, const FamilyRule& rule, const StackRule& stack,
          const NameIndex::Found& query)
      : names_(names), config_(config), rule_(rule), stack_(stack), query_(query) {}

  /// Usage, with a whole sentence, if the layer cannot be built.
  Result<AttentionLayer> build(int layer, bool& assumedHeads) {
    const TensorInfo* key = stack_.key == stack_.query ? query_.tensor : at(stack_.key);
    if (key == nullptr)
      return fail(ErrorKind::Usage,
                  fmt::format("queries are in {} but there is no {}{} with the keys", query_.tensor->name,
                              query_.prefix, filled(stack_.key, std::to_string(query_.number))));
    const auto Q = projectionShapeOf(*query_.tensor, stack_), K = projectionShapeOf(*key, stack_);
    if (!Q) return fail(ErrorKind::Usage, shapeSentence(*query_.tensor));
    if (!K) return fail(ErrorKind::Usage, shapeSentence(*key));
    // [in, out] of queries, keys and values has more outputs than inputs; otherwise it is [out, in].
    if (stack_.transposed && stack_.fusion != Fusion::Separate && Q->out <= Q->in)
      return fail(ErrorKind::Usage, shapeSentence(*query_.tensor));
    const Result<HeadShape> shape = headsOf(stack_, *Q, *K, hints(layer));
    if (!shape) return fail(ErrorKind::Usage, query_.tensor->name + " " + shape.error().message);
    if (const std::string wrong = widthSentence(*Q, *K, *key); !wrong.empty()) return fail(ErrorKind::Usage, wrong);
    assumedHeads = shape->assumed;

    AttentionLayer made;
    made.layer = layer;
    made.stack = stack_.stack;
    made.d_model = static_cast<int>(Q->in);
    made.d_key = static_cast<int>(K->in);
    made.heads = static_cast<int>(shape->heads);
    made.kvHeads = static_cast<int>(shape->kvHeads);
    made.d_h = static_cast<int>(shape->d_h);
    made.W_Q.tensor = query_.tensor->name;
    made.W_K.tensor = key->name;
    placeHeads(stack_, *shape, made.W_Q, made.W_K);
    made.b_Q = bias(stack_.queryBias, made.W_Q, made.heads, made.d_h, *Q);
    made.b_K = bias(stack_.keyBias, made.W_K, made.kvHeads, made.d_h, *K);
    addNorms(made);
    made.scale = stack_.scaled ? 1 / std::sqrt(static_cast<double>(made.d_h)) : 1;
    made.causal = stack_.causal;
    if (stack_.rotation != Rotation::None)
      made.rope = RopeSource{config_.ropeBase().value_or(10000), config_.ropeDimensions(made.d_h),
                             stack_.rotation == Rotation::Pairs};
    return made;
  }

 private:
  const TensorInfo* at(const std::string& pattern) const { return names_.at(query_.prefix, pattern, query_.number); }

  HeadHints hints(int layer) const {
    HeadHints hints;
    const int said = config_.heads(stack_.stack, layer).value_or(0);
    const bool byRule = rule_.heads > 0 && !configWins(rule_, said);
    hints.heads = byRule ? rule_.heads : said;
    hints.kvHeads = rule_.kvHeads > 0 && !configWins(rule_, said) ? rule_.kvHeads : config_.kvHeads(layer).value_or(0);
    if (byRule) return hints;
    hints.d_h = config_.headWidth().value_or(0);
    if (hints.d_h > 0) return hints;
    if (const TensorInfo* gain = at(stack_.qNorm); gain != nullptr && gain->shape.size() == 1)
      hints.d_h = valuesOf(*gain);
    // Frequencies of the rotary encoding: one for every two dimensions of a head.
    const std::string_view query = stack_.query;
    const std::size_t dot = query.rfind('.', query.rfind('.') - 1);
    if (dot != std::string_view::npos && stack_.rotation != Rotation::None)
      if (const TensorInfo* frequencies = at(std::string(query.substr(0, dot)) + ".rotary_emb.inv_freq"))
        hints.d_h = 2 * valuesOf(*frequencies);
    return hints;
  }

  std::string shapeSentence(const TensorInfo& tensor) const {
    return fmt::format("{} has the shape [{}], which is not a projection of {} dimensions", tensor.name,
                       fmt::join(tensor.shape, ", "), stack_.perHead ? "three" : "two");
  }

  // Why the form is not d x d; empty when it is.
  std::string widthSentence(const ProjectionShape& Q, const ProjectionShape& K, const TensorInfo& key) const {
    for (const std::string& pattern : stack_.width) {
      const TensorInfo* witness = at(pattern);
      if (witness == nullptr || witness->shape.empty()) continue;
      if (witness->shape[0] == Q.in) break;
      return fmt::format(
          "there is no {0} x {0} W_qk: the model is {0} wide ({1}), but {2} takes {3} inputs and gives "
          "{4}, one projection for slices of {3} of the {0} dimensions",
          witness->shape[0], witness->name, query_.tensor->name, Q.in, Q.out);
    }
    if (Q.in != K.in && stack_.stack != Stack::Cross)
      return fmt::format("there is no d x d W_qk: {} takes {} inputs and {} takes {}", query_.tensor->name, Q.in,
                         key.name, K.in);
    return {};
  }

  // A bias has the layout of its weight; if it is separate from a fused weight, it has one head after another.
  std::optional<ProjectionSource> bias(const std::string& pattern, const ProjectionSource& weight, int heads, int d_h,
                                       const ProjectionShape& seen) const {
    const TensorInfo* tensor = at(pattern);
    if (tensor == nullptr) return std::nullopt;
    const std::int64_t all = seen.heads > 0 ? seen.heads * seen.out : seen.out;
    ProjectionSource source = weight;
    source.tensor = tensor->name;
    source.transposed = false;
    if (weight.perHead && tensor->shape.size() != 2) return std::nullopt;
    if (valuesOf(*tensor) == all) return source;
    if (valuesOf(*tensor) != std::int64_t{heads} * d_h) return std::nullopt;
    return ProjectionSource{tensor->name, false, 0, d_h};
  }

  void addNorms(AttentionLayer& made) const {
    const bool rms = stack_.rms;
    const double epsilon = config_.normEpsilon().value_or(rms ? 1e-6 : 1e-5);
    const TensorInfo* gain = at(stack_.normGain);
    if (gain != nullptr && valuesOf(*gain) == made.d_model) {
      const TensorInfo* shift = at(stack_.normBias);
      const bool hasShift = shift != nullptr && valuesOf(*shift) == made.d_model;
      made.norm = NormSource{rms ? NormSource::Kind::Rms : NormSource::Kind::Layer, gain->name,
                             hasShift ? shift->name : std::string(), epsilon, stack_.onePlusGain};
    }
    made.normOfKeys = stack_.stack != Stack::Cross;
    made.q_norm = headNorm(stack_.qNorm, epsilon);
    made.k_norm = headNorm(stack_.kNorm, epsilon);
  }

  std::optional<NormSource> headNorm(const std::string& pattern, double epsilon) const {
    const TensorInfo* gain = at(pattern);
    if (gain == nullptr) return std::nullopt;
    std::string shift = pattern;
    if (const std::size_t end = shift.rfind(".weight"); end != std::string::npos) shift.replace(end, 7, ".bias");
    const TensorInfo* bias = shift == pattern ? nullptr : at(shift);
    return NormSource{bias != nullptr || !stack_.rms ? NormSource::Kind::Layer : NormSource::Kind::Rms, gain->name,
                      bias != nullptr ? bias->name : std::string(), epsilon, stack_.onePlusGain};
  }

  const NameIndex& names_;
  const ModelConfig& config_;
  const FamilyRule& rule_;
  const StackRule& stack_;
  const NameIndex::Found& query_;
};

std::string ofStack(Stack stack) {
  return stack == Stack::Self ? std::string() : fmt::format(" of the {} stack", toString(stack));
}

// Layers are numbered by their order; a note reports numbers with gaps (0, 2, 4 …).
void noteNumbers(const Group& group, const StackRule& stack, AttentionMap& map) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i].number == static_cast<std::int64_t>(i)) continue;
    map.notes.push_back(
        fmt::format("layers{} are numbered by their order: layer {} is number {} in the names of tensors",
                    ofStack(stack.stack), i, group[i].number));
    return;
  }
}

/// Adds a note if rule and config give different numbers of heads.
void noteHeads(const FamilyRule& rule, const StackRule& stack, const ModelConfig& config, AttentionMap& map) {
  const int said = config.heads(stack.stack, 0).value_or(0);
  if (rule.heads == 0 || said == 0 || rule.heads == said) return;
  map.notes.push_back(
      configWins(rule, said)
          ? fmt::format("the rule \"{0}\" says {1} heads, {2} says {3}: the {3} of {2} are taken; check the mapping",
                        rule.name, rule.heads, config.from(), said)
          : fmt::format("the rule \"{0}\" says {1} heads in place of the {3} of {2}", rule.name, rule.heads,
                        config.from(), said));
}

bool addStack(const NameIndex& names, const ModelConfig& config, const FamilyRule& rule, const StackRule& stack,
              Attempt& attempt) {
  const std::vector<Group> groups = groupsOf(names, stack.query);
  if (groups.empty()) return true;
  attempt.namesFound = true;
  const Group& group = groups.front();
  if (group.size() > kMostLayers) {
    attempt.why = fmt::format("{} layers are too many", group.size());
    return false;
  }
  bool assumed = false;
  for (std::size_t i = 0; i < group.size(); ++i) {
    bool here = false;
    Result<AttentionLayer> layer = Builder(names, config, rule, stack, group[i]).build(static_cast<int>(i), here);
    if (!layer) {
      attempt.why = printableSentence(layer.error().message);  // it contains tensor names
      return false;
    }
    assumed = assumed || here;
    attempt.map.layers.push_back(std::move(*layer));
  }
  noteNumbers(group, stack, attempt.map);
  noteHeads(rule, stack, config, attempt.map);
  const auto said = config.integer({"num_attention_heads", "n_head", "n_heads", "num_heads"});
  if (assumed && said && *said < 1)
    attempt.map.notes.push_back(
        fmt::format("the config says {} heads, which is not possible; the number is ignored", *said));
  if (assumed)
    attempt.map.notes.push_back(fmt::format(
        "the file does not say how many heads {}: each layer is shown as one head, which leaves W_qk of the layer as it "
        "is; set the number on the page Mapping",
        stack.stack == Stack::Self ? "there are" : fmt::format("the {} stack has", toString(stack.stack))));
  for (std::size_t i = 1; i < groups.size(); ++i)
    attempt.map.notes.push_back(
        fmt::format("the same names also follow the prefix \"{}\" ({} layers); that part is not shown",
                    excerpt(groups[i].front().prefix, 120), groups[i].size()));
  return true;
}

// `Self` if there is only one stack, an encoder or a decoder.
void nameLoneStack(AttentionMap& map) {
  const std::vector<Stack> stacks = map.stacks();
  if (stacks.size() != 1 || stacks.front() == Stack::Cross) return;
  for (AttentionLayer& layer : map.layers)
    layer.stack = Stack::Self;
}

void noteMissingLayers(const ModelConfig& config, AttentionMap& map) {
  for (const Stack stack : map.stacks()) {
    const auto said = config.layers(stack);
    if (said && *said != map.layersOf(stack))
      map.notes.push_back(fmt::format("{} says {} layers{}, the file has attention in {}", config.from(), *said,
                                      ofStack(stack), map.layersOf(stack)));
  }
}

}  // namespace

Attempt applyRule(const Checkpoint& checkpoint, const NameIndex& names, const ModelConfig& config,
                  const FamilyRule& rule) {
  Attempt attempt;
  for (const std::string& need : rule.needs) {
    const bool must = need.empty() || need.front() != '!';
    if (names.has(must ? std::string_view(need) : std::string_view(need).substr(1)) == must) continue;
    attempt.why = must ? "there is no " + need : "there is a " + need.substr(1);
    return attempt;
  }
  attempt.map.family = rule.key;
  attempt.map.familyName = rule.name;
  for (const StackRule& stack : rule.stacks)
    if (!addStack(names, config, rule, stack, attempt)) {
      attempt.map.layers.clear();
      return attempt;
    }
  if (attempt.map.layers.empty()) {
    attempt.why = rule.stacks.empty() ? "the rule has no patterns" : "there is no " + rule.stacks.front().query;
    return attempt;
  }
  nameLoneStack(attempt.map);
  const std::string near = attempt.map.layers.front().W_Q.tensor;
  const auto embedding = [&](const std::string& pattern, std::int64_t wide) {
    const TensorInfo* tensor = names.nearest(pattern, near);
    return tensor != nullptr && tensor->shape.size() == 2 && tensor->shape[1] == wide ? tensor->name : std::string();
  };
  attempt.map.tokenEmbedding = embedding(rule.tokenEmbedding, attempt.map.layers.front().d_model);
  attempt.map.positionEmbedding = embedding(rule.positionEmbedding, attempt.map.layers.front().d_model);
  attempt.map.positionOffset = rule.positionOffset;
  attempt.map.notes.insert(attempt.map.notes.end(), rule.notes.begin(), rule.notes.end());
  if (rule.finish) rule.finish(checkpoint, config, attempt.map);
  noteMissingLayers(config, attempt.map);
  describe(checkpoint, attempt.map);
  return attempt;
}

}  // namespace sepx::checkpoint
