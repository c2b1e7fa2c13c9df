// SPDX-License-Identifier: Apache-2.0
// sepx forward: the forward pass of a checkpoint for a sentence or an image: predictions, and on request attention and
// residual stream, as text, JSON or arrays. In double precision.
#include <algorithm>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/progress.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/sentence_arguments.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/interrupts.h"
#include "app/options.h"
#include "engine/core/table.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/forward/predictions.h"

namespace sepx::app::cli {
namespace {

using forward::Activations;
using forward::BlockActivations;
using DoublePass = Activations<double>;

/// values [n, width] from `first` as an array of rows.
Json jsonRows(const std::vector<double>& values, std::size_t first, std::size_t rows, std::size_t width) {
  Json json = Json::array();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first + row * width);
    json.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(width)));
  }
  return json;
}

Json attentionOf(const DoublePass& pass) {
  const auto n = static_cast<std::size_t>(pass.positions);
  Json layers = Json::array();
  for (const BlockActivations<double>& block : pass.blocks) {
    Json heads = Json::array();
    for (std::size_t head = 0; head < static_cast<std::size_t>(block.heads); ++head)
      heads.push_back(jsonRows(block.attention, head * n * n, n, n));
    layers.push_back(std::move(heads));
  }
  return layers;
}

Json hiddenOf(const DoublePass& pass) {
  Json layers = Json::array();
  for (const BlockActivations<double>& block : pass.blocks)
    layers.push_back(
        jsonRows(block.hidden, 0, static_cast<std::size_t>(pass.positions), static_cast<std::size_t>(pass.d_model)));
  return layers;
}

/// Adds the layers as one array; if they differ in shape, as one array per layer.
void addLayers(Numbers& numbers, const std::string& name, const DoublePass& pass,
               std::vector<double> BlockActivations<double>::*member,
               const std::function<std::vector<std::size_t>(const BlockActivations<double>&)>& shapeOf) {
  if (pass.blocks.empty()) return;
  const std::vector<std::size_t> first = shapeOf(pass.blocks.front());
  const bool alike = std::all_of(pass.blocks.begin(), pass.blocks.end(),
                                 [&](const BlockActivations<double>& block) { return shapeOf(block) == first; });
  if (!alike) {
    for (std::size_t layer = 0; layer < pass.blocks.size(); ++layer)
      numbers.grids.push_back(
          {fmt::format("{}.{}", name, layer), shapeOf(pass.blocks[layer]), pass.blocks[layer].*member});
    return;
  }
  std::vector<double> all;
  for (const BlockActivations<double>& block : pass.blocks)
    all.insert(all.end(), (block.*member).begin(), (block.*member).end());
  std::vector<std::size_t> shape{pass.blocks.size()};
  shape.insert(shape.end(), first.begin(), first.end());
  numbers.grids.push_back({name, shape, std::move(all)});
}

std::vector<forward::Prediction> likeliest(const DoublePass& pass, std::size_t row, std::size_t most, double& entropy) {
  const double* const logits = pass.logitsOf(row);
  const std::vector<float> rounded(logits, logits + pass.vocabulary);
  return forward::rank(rounded, most, &entropy);
}

std::string sizeDisplayText(const DoublePass& pass) {
  return counted(pass.positions, "{} position", "{} positions") + ", " +
         counted(pass.blocks.size(), "{} layer", "{} layers");
}

/// `text`, padded with blanks to `width` characters.
std::string filledUp(std::string text, std::size_t width) {
  const std::size_t length = decodeUtf8(text).size();
  return text + std::string(width > length ? width - length : 0, ' ');
}

class ForwardVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    sentence_.declare(command, true);
    addOption(command, "--layers", layers_,
              N_("compute only the first N layers; no predictions unless these are all layers"), "N");
    addFlag(command, "--attention", attention_, N_("the probabilities of all heads"));
    addFlag(command, "--hidden", hidden_, N_("the residual stream after each layer"));
    addOption(command, "--npz", npz_, N_("write the numbers to this file as NumPy arrays"), "F.npz");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    if (json_ && !npz_.empty()) return failf(ErrorKind::Usage, N_("--json and --npz are mutually exclusive"));
    SEPX_ASSIGN(const SentenceInput sentence, sentence_.read());
    SEPX_ASSIGN(const forward::Request request, requestFor(sentence));
    SEPX_TRY(protectInputs("--npz", npz_, inputsOf(*sentence.stored, sentence_.path())));
    SEPX_ASSIGN(const DoublePass pass, compute(sentence, request, console, common));
    if (json_) {
      console.out << finishDocument(documentOf(sentence, pass));
    } else if (!npz_.empty()) {
      SEPX_TRY(writeNpz(numbersOf(sentence, pass), finishDocument(recipeOf(sentence)), npz_));
      console.out << npz_ << ": " << sizeDisplayText(pass) << "\n";
    } else {
      print(console.out, sentence, pass);
    }
    if (!json_) sentence.printNotes(console.err);
    return Outcome::Done;
  }

 private:
  /// The request that the options describe. BadInput if the file lacks what it needs.
  Result<forward::Request> requestFor(const SentenceInput& sentence) const {
    const checkpoint::ModelPlan& plan = sentence.model->plan();
    const auto there = static_cast<long long>(plan.blocks.size());
    const std::string lacks = plan.missing.empty() ? tr(N_("it has no predictions")) : plan.missing.front();
    forward::Request request;
    request.attention = attention_;
    request.hidden = hidden_;
    long long layers = there;
    if (!layers_.empty()) {
      SEPX_ASSIGN(layers, toInteger("--layers", layers_, 0, 1'000'000));
      if (layers > there && !plan.missing.empty())
        return failf(ErrorKind::BadInput, N_("{}: {}"), sentence.stored->checkpoint->path(), lacks);
      if (layers > there) return failf(ErrorKind::Usage, N_("--layers: the model has {} layers"), there);
      request.layers = static_cast<int>(layers);
    }
    request.logits = plan.head.has_value() && layers == there;
    if (!request.logits && !attention_ && !hidden_) {
      if (layers == 0 && there > 0)
        return failf(ErrorKind::Usage, N_("--layers 0 computes no layer, so there are no predictions: --hidden shows "
                                          "the embedding"));
      if (layers < there)
        return failf(
            ErrorKind::Usage,
            N_("the first {} of {} layers give no predictions: --attention and --hidden show what they compute"),
            layers, there);
      return failf(ErrorKind::BadInput, N_("{}: {}; --attention and --hidden show what can be computed"),
                   sentence.stored->checkpoint->path(), lacks);
    }
    return request;
  }

  static Result<DoublePass> compute(const SentenceInput& sentence, const forward::Request& request, Console& console,
                                    const Options& common) {
    const Interrupts interrupt{true};
    Progress progress(console, tr(N_("forward")));
    ThreadPool pool(common.threads);
    return sentence.model->run<double>(
        sentence.input, request, pool, [&](double) { return interrupt.seen(); },
        [&](int done, int all) { progress.at(all > 0 ? static_cast<double>(done) / all : 1); });
  }

  Json documentOf(const SentenceInput& sentence, const DoublePass& pass) const {
    const checkpoint::ModelPlan& plan = sentence.model->plan();
    Json json = beginDocument("forward");
    json["model"] = sentence.stored->checkpoint->name();
    json["family"] = sentence.stored->map.family;
    json["agreement"] = orNull(plan.agreement);
    json["missing"] = plan.missing;
    json["notes"] = plan.notes;
    for (const std::string& note : sentence.notes)
      json["notes"].push_back(note);
    sentence.addTo(json);
    json["positions"] = pass.logitsAt;
    json["logits"] = pass.logits.empty()
                         ? Json(nullptr)
                         : jsonRows(pass.logits, 0, pass.logitsAt.size(), static_cast<std::size_t>(pass.vocabulary));
    if (attention_) json["attention"] = attentionOf(pass);
    if (hidden_)
      json["embedding"] =
          jsonRows(pass.embedding, 0, static_cast<std::size_t>(pass.positions), static_cast<std::size_t>(pass.d_model));
    if (hidden_) json["hidden"] = hiddenOf(pass);
    return json;
  }

  Json recipeOf(const SentenceInput& sentence) const {
    Json json = beginDocument("forward");
    json["model"] = sentence.stored->checkpoint->name();
    json["family"] = sentence.stored->map.family;
    sentence.addTo(json);
    return json;
  }

  Numbers numbersOf(const SentenceInput& sentence, const DoublePass& pass) const {
    const auto n = static_cast<std::size_t>(pass.positions), d = static_cast<std::size_t>(pass.d_model);
    Numbers numbers;
    const auto doubles = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
    if (!sentence.input.ids.empty()) numbers.grids.push_back({"ids", {n}, doubles(sentence.input.ids)});
    if (!pass.logits.empty()) {
      numbers.grids.push_back({"positions", {pass.logitsAt.size()}, doubles(pass.logitsAt)});
      numbers.grids.push_back(
          {"logits", {pass.logitsAt.size(), static_cast<std::size_t>(pass.vocabulary)}, pass.logits});
    }
    using Block = BlockActivations<double>;
    if (attention_)
      addLayers(numbers, "attention", pass, &Block::attention, [n](const Block& block) {
        return std::vector<std::size_t>{static_cast<std::size_t>(block.heads), n, n};
      });
    if (hidden_) {
      numbers.grids.push_back({"embedding", {n, d}, pass.embedding});
      addLayers(numbers, "hidden", pass, &Block::hidden, [n, d](const Block&) {
        return std::vector<std::size_t>{n, d};
      });
    }
    return numbers;
  }

  void print(std::ostream& out, const SentenceInput& sentence, const DoublePass& pass) const {
    const checkpoint::ModelPlan& plan = sentence.model->plan();
    for (const std::string& line : plan.missing)
      out << printable(line) << "\n";
    if (pass.logits.empty()) {
      out << trf(N_("{}; --json and --npz give the numbers"), sizeDisplayText(pass)) << "\n";
      return;
    }
    out << (plan.image          ? tr(N_("the likeliest classes"))
            : plan.head->masked ? tr(N_("the likeliest tokens at each position"))
                                : tr(N_("the likeliest next tokens after each position")))
        << "\n";
    std::size_t widest = 0;
    std::vector<std::string> own;
    for (const int position : pass.logitsAt) {
      own.push_back(sentence.input.ids.empty()
                        ? std::string()
                        : sentence.token(sentence.input.ids[static_cast<std::size_t>(position)]));
      widest = std::max(widest, decodeUtf8(own.back()).size());
    }
    constexpr std::size_t kMost = 5;
    for (std::size_t row = 0; row < pass.logitsAt.size(); ++row) {
      double entropy = 0;
      const auto ranked = likeliest(pass, row, kMost, entropy);
      out << fmt::format("{:>5}  {}  {} ", pass.logitsAt[row], filledUp(own[row], widest),
                         filledUp(trf(N_("{:.2f} nats"), entropy), 10));
      if (ranked.empty()) out << " " << tr(N_("a logit is not a finite number"));
      for (const forward::Prediction& one : ranked)
        out << fmt::format("  {} {:.3g}", sentence.token(one.id), one.probability);
      out << "\n";
    }
    out << (plan.agreement.empty() ? tr(N_("forward pass of this family: not compared with an independent one"))
                                   : trf(N_("forward pass: {}"), plan.agreement))
        << "\n";
  }

  SentenceArgument sentence_;
  std::string layers_, npz_;
  bool attention_ = false, hidden_ = false, json_ = false;
};

}  // namespace

VerbEntry makeForward() {
  return {"forward", N_("A sentence through a model: predictions, attention, residual stream"),
          std::make_unique<ForwardVerb>(), kReadsOnly};
}

}  // namespace sepx::app::cli
