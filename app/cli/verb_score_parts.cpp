// SPDX-License-Identifier: Apache-2.0
// sepx score-parts: one attention score as a sum over pairs of writers into the residual stream.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/progress.h"
#include "app/cli/sentence_arguments.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/interrupts.h"
#include "app/options.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"
#include "engine/forward/score_parts.h"

namespace sepx::app::cli {
namespace {

using forward::ScoreParts;
using forward::Writer;

const char* wordOf(Writer::Kind kind) {
  switch (kind) {
    case Writer::Kind::Embedding:
      return "embedding";
    case Writer::Kind::Position:
      return "position";
    case Writer::Kind::Head:
      return "head";
    case Writer::Kind::FeedForward:
      return "feed-forward";
    case Writer::Kind::Biases:
      return "biases";
    case Writer::Kind::NormBias:
      return "norm-bias";
    case Writer::Kind::Projection:
      break;
  }
  return "projection-bias";
}

std::string writerName(const Writer& writer) {
  switch (writer.kind) {
    case Writer::Kind::Embedding:
      return tr(N_("embedding"));
    case Writer::Kind::Position:
      return tr(N_("position"));
    case Writer::Kind::Head:
      return trf(N_("head {}.{}"), writer.layer, writer.head);
    case Writer::Kind::FeedForward:
      return trf(N_("feed-forward {}"), writer.layer);
    case Writer::Kind::Biases:
      return tr(N_("biases"));
    case Writer::Kind::NormBias:
      return tr(N_("bias of the norm"));
    case Writer::Kind::Projection:
      break;
  }
  return tr(N_("bias of the projection"));
}

/// Rows of a name, a number and a bar from zero to the left or right. Their sum is printed below them.
class BarTable {
 public:
  void row(std::string name, double value) { rows_.emplace_back(std::move(name), value); }
  void print(std::ostream& out, const std::string& total, double sum) const {
    std::size_t widest = decodeUtf8(total).size();
    double most = 0;
    for (const auto& [name, value] : rows_) {
      widest = std::max(widest, decodeUtf8(name).size());
      most = std::max(most, std::abs(value));
    }
    constexpr int kHalf = 16;
    for (const auto& [name, value] : rows_) {
      const int length = most > 0 ? static_cast<int>(std::lround(std::abs(value) / most * kHalf)) : 0;
      const std::string left = value < 0 ? std::string(static_cast<std::size_t>(kHalf - length), ' ') + bar(length)
                                         : std::string(kHalf, ' ');
      line(out, name, value, widest);
      out << "  " << left << "|" << (value < 0 ? std::string() : bar(length)) << "\n";
    }
    line(out, total, sum, widest);
    out << "\n\n";
  }

 private:
  static std::string bar(int length) { return std::string(static_cast<std::size_t>(std::max(length, 0)), '#'); }
  static void line(std::ostream& out, const std::string& name, double value, std::size_t widest) {
    out << "  " << name << std::string(widest - decodeUtf8(name).size(), ' ') << fmt::format("  {:>+10.4g}", value);
  }
  std::vector<std::pair<std::string, double>> rows_;
};

class ScorePartsVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    sentence_.declare(command, false);
    addOption(command, "--layer", layer_, N_("layer, from 0"), "L")->required();
    addOption(command, "--head", head_, N_("query head, from 0"), "H")->required();
    addOption(command, "--query", query_, N_("position of the query token, from 0"), "I")->required();
    addOption(command, "--key", key_, N_("position of the key token, from 0"), "J")->required();
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    int place[4] = {};
    const std::pair<const char*, const std::string*> words[4] = {
        {"--layer", &layer_}, {"--head", &head_}, {"--query", &query_}, {"--key", &key_}};
    for (std::size_t i = 0; i < 4; ++i) {
      SEPX_ASSIGN(const long long number, toInteger(words[i].first, *words[i].second, 0, 1'000'000'000));
      place[i] = static_cast<int>(number);
    }
    SEPX_ASSIGN(const SentenceInput sentence, sentence_.read());
    SEPX_ASSIGN(const ScoreParts parts, compute(sentence, place, console, common));
    if (json_)
      console.out << finishDocument(documentOf(sentence, parts));
    else
      print(console.out, sentence, parts);
    if (!json_) sentence.printNotes(console.err);
    return Outcome::Done;
  }

 private:
  static Result<ScoreParts> compute(const SentenceInput& sentence, const int (&place)[4], Console& console,
                                    const Options& common) {
    const checkpoint::ModelPlan& plan = sentence.model->plan();
    const auto there = static_cast<int>(plan.blocks.size());
    if (place[0] >= there && !plan.missing.empty())
      return failf(ErrorKind::BadInput, N_("{}: {}"), sentence.stored->checkpoint->path(), plan.missing.front());
    const Interrupts interrupt{true};
    Progress progress(console, tr(N_("score-parts")));
    const checkpoint::Cancelled cancelled = [&](double) { return interrupt.seen(); };
    ThreadPool pool(common.threads);
    forward::Request request;
    request.writes = true;
    request.logits = false;
    request.layers = std::min(place[0] + 1, there);
    SEPX_ASSIGN(const forward::Activations<double> pass,
                sentence.model->run<double>(sentence.input, request, pool, cancelled, [&](int done, int all) {
                  progress.at(all > 0 ? static_cast<double>(done) / all : 1);
                }));
    return forward::scoreParts(*sentence.model, sentence.input, pass, place[0], place[1], place[2], place[3],
                               cancelled);
  }

  static Json documentOf(const SentenceInput& sentence, const ScoreParts& parts) {
    Json json = beginDocument("score-parts");
    json["model"] = sentence.stored->checkpoint->name();
    json["family"] = sentence.stored->map.family;
    json["notes"] = sentence.notes;
    sentence.addTo(json);
    json["layer"] = parts.layer;
    json["head"] = parts.head;
    json["query"] = parts.query;
    json["key"] = parts.key;
    json["score"] = parts.score;
    json["probability"] = parts.probability;
    json["cap"] = parts.cap > 0 ? Json(parts.cap) : Json(nullptr);
    json["distance_bias"] = parts.distanceBias;
    json["writers"] = Json::array();
    for (const Writer& writer : parts.writers)
      json["writers"].push_back({{"kind", wordOf(writer.kind)},
                                 {"layer", writer.layer < 0 ? Json(nullptr) : Json(writer.layer)},
                                 {"head", writer.head < 0 ? Json(nullptr) : Json(writer.head)}});
    const std::size_t n = parts.writers.size();
    json["pairs"] = Json::array();
    for (std::size_t row = 0; row < n; ++row)
      json["pairs"].push_back(std::vector<double>(parts.pairs.begin() + static_cast<std::ptrdiff_t>(row * n),
                                                  parts.pairs.begin() + static_cast<std::ptrdiff_t>((row + 1) * n)));
    json["by_kind"] = Json::array();
    for (const ScoreParts::Named& kind : parts.byKind)
      json["by_kind"].push_back({{"name", kind.name}, {"value", kind.value}});
    json["symmetric"] = parts.symmetric;
    json["skew"] = parts.skew;
    json["with_biases"] = parts.withBiases;
    json["gain"] = parts.gain;
    json["rotation"] = parts.rotation;
    json["residue"] = parts.residue;
    return json;
  }

  static void print(std::ostream& out, const SentenceInput& sentence, const ScoreParts& parts) {
    const auto place = [&](int position) {
      return trf(N_("{} at position {}"), sentence.token(sentence.input.ids[static_cast<std::size_t>(position)]),
                 position);
    };
    out << trf(N_("layer {}, head {}: query {}, key {}"), parts.layer, parts.head, place(parts.query), place(parts.key))
        << "\n"
        << trf(N_("score {:.4g}, probability {:.4g}"), parts.score, parts.probability);
    if (parts.cap > 0) out << trf(N_(", capped at {}"), displayText(parts.cap));
    out << "\n\n" << tr(N_("by kind, from query to key:")) << "\n";
    const std::string total = tr(N_("score"));
    BarTable kinds;
    for (const ScoreParts::Named& kind : parts.byKind)
      kinds.row(tr(kind.name.c_str()), kind.value);
    kinds.print(out, total, parts.score);
    out << tr(N_("by the matrix:")) << "\n";
    BarTable matrix;
    matrix.row(tr(N_("symmetric part of W_qk")), parts.symmetric);
    matrix.row(tr(N_("skew part of W_qk")), parts.skew);
    matrix.row(tr(N_("with the biases of the projections")), parts.withBiases);
    if (parts.distanceBias != 0) matrix.row(tr(N_("bias of the distance")), parts.distanceBias);
    matrix.print(out, total, parts.score);
    printWriters(out, parts, total, true);
    printWriters(out, parts, total, false);
    printPairs(out, parts, total);
    out << trf(N_("the gain of the norm contributes {} to the score, and the rotary encoding {}"),
               displayText(parts.gain), displayText(parts.rotation))
        << "\n"
        << tr(N_("the softmax compares the scores of one query: only their differences count")) << "\n"
        << tr(N_("the denominators of norms are kept at their values in the forward pass")) << "\n";
  }

  static void printWriters(std::ostream& out, const ScoreParts& parts, const std::string& total, bool query) {
    out << (query ? tr(N_("by writer of what the query reads:")) : tr(N_("by writer of what the key reads:"))) << "\n";
    const std::size_t n = parts.writers.size();
    BarTable table;
    for (std::size_t a = 0; a < n; ++a) {
      double sum = 0;
      for (std::size_t b = 0; b < n; ++b)
        sum += parts.pairs[query ? a * n + b : b * n + a];
      table.row(writerName(parts.writers[a]), sum);
    }
    if (parts.distanceBias != 0) table.row(tr(N_("bias of the distance")), parts.distanceBias);
    table.print(out, total, parts.score);
  }

  static void printPairs(std::ostream& out, const ScoreParts& parts, const std::string& total) {
    constexpr std::size_t kMost = 12;
    const std::size_t n = parts.writers.size();
    std::vector<std::size_t> order(parts.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t shown = std::min(kMost, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                      [&](std::size_t a, std::size_t b) {
                        const double x = std::abs(parts.pairs[a]), y = std::abs(parts.pairs[b]);
                        return x != y ? x > y : a < b;
                      });
    out << tr(N_("the largest pairs of writers:")) << "\n";
    BarTable table;
    double others = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t at = order[i];
      if (i < shown)
        table.row(trf(N_("{} to {}"), writerName(parts.writers[at / n]), writerName(parts.writers[at % n])),
                  parts.pairs[at]);
      else
        others += parts.pairs[at];
    }
    if (order.size() > shown) table.row(trf(N_("the other {} pairs"), order.size() - shown), others);
    if (parts.distanceBias != 0) table.row(tr(N_("bias of the distance")), parts.distanceBias);
    table.print(out, total, parts.score);
  }

  SentenceArgument sentence_;
  std::string layer_, head_, query_, key_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeScoreParts() {
  return {"score-parts", N_("An attention score as the sum of what was written into the residual stream"),
          std::make_unique<ScorePartsVerb>(), kReadsOnly};
}

}  // namespace sepx::app::cli
