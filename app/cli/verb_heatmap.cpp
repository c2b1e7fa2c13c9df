// SPDX-License-Identifier: Apache-2.0
// sepx heatmap: W_qk of one layer or head, its symmetric or skew part, or a crop of it, as numbers or as a picture.
// Without --crop a PNG is the figure of the Weights exhibit, with axes, colour bar, caption and recipe; with --crop it
// has one pixel per entry of the crop. Numbers are doubles and are written in bands of rows, so that the size is not
// limited by memory.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/declare.h"
#include "app/cli/heatmap_picture.h"
#include "app/cli/progress.h"
#include "app/cli/protect_inputs.h"
#include "app/cli/qk_scores.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "engine/core/file_writer.h"
#include "engine/core/npy.h"
#include "engine/core/number.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

using attention::Crop;
using attention::LayerFactors;
using attention::Matrix;
using attention::Part;

constexpr Eigen::Index kBandValues = Eigen::Index{1} << 22;  // 32 MB of doubles at a time

enum class Form { Png, Csv, Npy };

/// The request, and in EntryStatistics the statistics of the numbers that were written.
struct Work {
  Model model;
  const checkpoint::AttentionLayer* layer = nullptr;
  int head = -1;
  Part part = Part::Full;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
  LayerFactors factors;
  Crop crop;
  bool cropped = false;
};

struct EntryStatistics {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  double squares = 0;
  std::size_t nonfinite = 0;
  void take(const Matrix& values) {
    for (const double value : values.reshaped()) {
      if (!std::isfinite(value)) {
        ++nonfinite;
        continue;
      }
      least = std::min(least, value);
      most = std::max(most, value);
      squares += value * value;
    }
  }
};

const char* partWord(Part part) {
  return part == Part::Full ? "full" : part == Part::Symmetric ? "sym" : "skew";
}

Result<Part> partNamed(const std::string& name) {
  for (const Part part : {Part::Full, Part::Symmetric, Part::Skew}) {
    if (name == partWord(part)) return part;
  }
  return failf(ErrorKind::Usage, N_("--part: '{}' is not one of full, sym, skew"), name);
}

Result<Form> formOf(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".png") return Form::Png;
  if (ending == ".csv") return Form::Csv;
  if (ending == ".npy") return Form::Npy;
  return failf(ErrorKind::Usage, N_("--out: '{}' must end in .png, .csv or .npy"), path);
}

/// Half-open ranges of rows, then columns, inside the matrix.
Result<Crop> cropNamed(const std::string& text, Eigen::Index rows, Eigen::Index columns) {
  if (text.empty()) return Crop{0, rows, 0, columns};
  const std::vector<std::string> words = toWords(text);
  if (words.size() != 4) return failf(ErrorKind::Usage, N_("--crop: '{}' is not I0,I1,J0,J1"), text);
  long long ends[4] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    SEPX_ASSIGN(ends[i], toInteger("--crop", words[i], 0, i < 2 ? rows : columns));
  }
  if (ends[0] >= ends[1] || ends[2] >= ends[3])
    return failf(ErrorKind::Usage, N_("--crop: '{}' is empty; it must have I0 < I1 and J0 < J1"), text);
  return Crop{ends[0], ends[1], ends[2], ends[3]};
}

/// Passes the rows to `take` in bands from top to bottom.
Result<EntryStatistics> inBands(const Work& work, QkComputer& computer, Progress& progress,
                                const std::function<Result<void>(const Matrix&)>& take) {
  EntryStatistics statistics;
  const Eigen::Index rows = std::max<Eigen::Index>(1, kBandValues / work.crop.columns());
  for (Eigen::Index row = work.crop.row0; row < work.crop.row1; row += rows) {
    if (computer.interrupts().seen()) return QkComputer::interrupted();
    progress.at(static_cast<double>(row - work.crop.row0) / static_cast<double>(work.crop.rows()));
    const Crop band{row, std::min(row + rows, work.crop.row1), work.crop.column0, work.crop.column1};
    SEPX_ASSIGN(const auto values, computer.crop(work.factors, work.part, band));
    statistics.take(values);
    SEPX_TRY(take(values));
  }
  return statistics;
}

std::string csvOf(const Matrix& values) {
  std::string text;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.cols(); ++j) {
      if (j > 0) text += ',';
      if (!std::isnan(values(i, j))) text += formatShortest(values(i, j));
    }
    text += '\n';
  }
  return text;
}

std::string_view bytesOf(const Matrix& values) {
  return {reinterpret_cast<const char*>(values.data()), sizeof(double) * static_cast<std::size_t>(values.size())};
}

Result<EntryStatistics> writeNumbers(const Work& work, Form form, const std::string& path, QkComputer& computer,
                                     Progress& progress) {
  SEPX_ASSIGN(const auto writer, FileWriter::begin(path));
  if (form == Form::Npy) {
    const std::vector<std::size_t> shape{static_cast<std::size_t>(work.crop.rows()),
                                         static_cast<std::size_t>(work.crop.columns())};
    SEPX_TRY(writer->write(npyHeader("<f8", shape)));
  }
  SEPX_ASSIGN(auto statistics, inBands(work, computer, progress, [&](const Matrix& values) {
                return writer->write(form == Form::Npy ? bytesOf(values) : std::string_view(csvOf(values)));
              }));
  SEPX_TRY(writer->commit());
  return statistics;
}

Json heatmapJson(const Work& work, const EntryStatistics& statistics, const QkComputer& computer) {
  Json json = beginDocument("heatmap");
  json["model"] = work.model->checkpoint->name();
  json["family"] = work.model->map.family;
  json["stack"] = checkpoint::toString(work.layer->stack);
  json["layer"] = work.layer->layer;
  json["head"] = work.head < 0 ? Json(nullptr) : Json(work.head);
  json["part"] = partWord(work.part);
  json["gqa"] = toString(work.pairing);
  json["crop"] = {work.crop.row0, work.crop.row1, work.crop.column0, work.crop.column1};
  json["shape"] = {work.crop.rows(), work.crop.columns()};
  const bool some = statistics.least <= statistics.most;
  json["least"] = some ? Json(statistics.least) : Json(nullptr);
  json["most"] = some ? Json(statistics.most) : Json(nullptr);
  json["frobenius"] = std::sqrt(statistics.squares);
  json["nonfinite_entries"] = statistics.nonfinite;
  json["compute"] = computer.processor();
  json["device"] = orNull(computer.device());
  return json;
}

void printLine(std::ostream& out, const Work& work, const EntryStatistics& statistics, const QkComputer& computer,
               const std::string& path) {
  const std::string size = trf(N_("{}: {} x {} entries"), path, work.crop.rows(), work.crop.columns());
  if (statistics.least > statistics.most) {
    out << trf(N_("{}, none of them finite, computed by {}"), size, computer.displayText()) << "\n";
    return;
  }
  out << trf(N_("{} from {} to {}, computed by {}"), size, displayText(statistics.least), displayText(statistics.most),
             computer.displayText())
      << "\n";
  if (statistics.nonfinite > 0)
    out << counted(statistics.nonfinite, N_("{} entry is not finite"), N_("{} entries are not finite")) << "\n";
}

class HeatmapVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "checkpoint", file_, N_("a weight file, the index of a sharded checkpoint, or a folder"),
              "CHECKPOINT")
        ->required();
    addOption(command, "--layer", layer_, N_("layer, from 0 within its stack"), "L")->required();
    addOption(command, "--head", head_, N_("only this query head (default: the sum of all heads)"), "H");
    addOption(command, "--stack", stack_, N_("stack of the layer (default: the first of the model)"),
              "self|encoder|decoder|cross");
    addOption(command, "--part", part_, N_("full (default), or its symmetric or skew part"), "full|sym|skew");
    addOption(command, "--crop", crop_,
              N_("rows I0 to I1 and columns J0 to J1, half-open; a PNG then has one pixel per entry"), "I0,I1,J0,J1");
    addOption(command, "--out", out_,
              N_("a figure as .png, or all entries as .csv (no header) or .npy (doubles, row-major)"), "FILE")
        ->required();
    pairing_.declare(command);
    rules_.declare(command);
    addJsonFlag(command, json_);
    command.footer(
        tr(N_("A figure also takes --size WxH (pixels, default 1280x720), --scale X, --theme NAME. --compute gpu "
              "computes with the Vulkan kernel in single precision; the default is the CPU in double precision")));
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    SEPX_ASSIGN(const auto form, formOf(out_));
    SEPX_ASSIGN(auto work, read());
    SEPX_TRY(protectInputs("--out", out_, inputsOf(*work.model, file_)));
    SEPX_ASSIGN(auto computer, QkComputer::create(common));
    SEPX_ASSIGN(const auto statistics, write(work, form, *computer, console, common));
    if (json_)
      console.out << finishDocument(heatmapJson(work, statistics, *computer));
    else
      printLine(console.out, work, statistics, *computer, out_);
    return Outcome::Done;
  }

 private:
  Result<Work> read() const {
    Work work;
    SEPX_ASSIGN(const auto part, partNamed(part_));
    SEPX_ASSIGN(const auto pairing, pairing_.pairing());
    SEPX_ASSIGN(const auto model, rules_.open(file_));
    SEPX_ASSIGN(const auto layer, layerOf(*model, stack_, layer_));
    SEPX_ASSIGN(const auto head, headOf(*layer, head_));
    if (part != Part::Full && layer->d_model != layer->d_key) {
      return failf(ErrorKind::Usage, N_("--part: this W_qk is {} x {}; only a square one has symmetric and skew parts"),
                   layer->d_model, layer->d_key);
    }
    SEPX_ASSIGN(const auto crop, cropNamed(crop_, layer->d_model, layer->d_key));
    SEPX_ASSIGN(auto factors, checkpoint::loadFactors(*model->checkpoint, *layer, {.pairing = pairing, .head = head}));
    return Work{model, layer, head, part, pairing, std::move(factors), crop, !crop_.empty()};
  }

  Result<EntryStatistics> write(const Work& work, Form form, QkComputer& computer, Console& console,
                                const Options& common) const {
    Progress progress(console, tr(N_("heatmap")));
    if (form != Form::Png) return writeNumbers(work, form, out_, computer, progress);
    if (!work.cropped) return figure(work, computer, progress, common);
    EntryPicture picture(work.crop);
    SEPX_TRY(picture.begin());
    SEPX_ASSIGN(auto statistics,
                inBands(work, computer, progress, [&picture](const Matrix& values) { return picture.take(values); }));
    SEPX_TRY(picture.write(out_, finishDocument(heatmapJson(work, statistics, computer))));
    return statistics;
  }

  /// The figure reads the checkpoint itself. The entries are computed here once more for the printed statistics.
  Result<EntryStatistics> figure(const Work& work, QkComputer& computer, Progress& progress,
                                 const Options& common) const {
    SEPX_ASSIGN(auto statistics, inBands(work, computer, progress, [](const Matrix&) { return Result<void>(); }));
    HeatmapFigure figure;
    figure.checkpoint = std::filesystem::absolute(work.model->checkpoint->path()).lexically_normal().string();
    figure.stack = checkpoint::toString(work.layer->stack);
    figure.layer = work.layer->layer;
    figure.head = work.head;
    figure.part = work.part == Part::Full ? "full" : work.part == Part::Symmetric ? "symmetric" : "skew";
    figure.gqa = work.pairing == checkpoint::HeadPairing::Grouped ? "grouped" : "published";
    figure.rules = rules_.folder();
    SEPX_TRY(drawHeatmap(figure, common, computer.interrupts(), out_));
    return statistics;
  }

  std::string file_, layer_, head_, stack_, part_ = "full", crop_, out_;
  PairingArgument pairing_;
  RulesArgument rules_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeHeatmap() {
  return {"heatmap", N_("W_qk of a layer or head as a figure or as numbers"), std::make_unique<HeatmapVerb>()};
}

}  // namespace sepx::app::cli
