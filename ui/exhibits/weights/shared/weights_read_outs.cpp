// SPDX-License-Identifier: Apache-2.0
// The read-outs that all pages share. Getters answer monostate for what is not there now; they compute no more than a
// formula.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/exhibits/weights/shared/weights_declare.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using Getter = std::function<Value(int)>;

constexpr const char* kSymmetryPlace = "Attention-Structure, Definition 3.1";
constexpr const char* kDirectionalityPlace = "Attention-Structure, Definition 3.2";

Value number(double value) {
  return std::isfinite(value) ? Value(value) : Value(std::monostate{});
}

class Declarer {
 public:
  Declarer(PropertyRegistry& registry, const WeightsShared& live) : registry_(registry), live_(live) {}

  void model();
  void scores();
  void bands();
  void board();

 private:
  void add(const char* key, const char* label, const char* symbol, const char* help, const char* equation, Getter get,
           int digits = 4, bool detail = false, std::function<std::string(double)> numberWords = {}) {
    ReadOut made;
    made.key = std::string("weights.") + key;
    made.label = label;
    made.symbol = symbol;
    made.help = help;
    made.equation = equation;
    made.get = std::move(get);
    made.digits = digits;
    made.detail = detail;
    made.numberWords = std::move(numberWords);
    registry_.declare(std::move(made));
  }
  /// Of the chosen layer.
  Getter ofLayer(int checkpoint::AttentionLayer::*member) {
    return [&live = live_, member](int) -> Value {
      return live.layer ? Value(static_cast<double>((*live.layer).*member)) : Value(std::monostate{});
    };
  }
  /// A number of the scores of the layer and head in sight.
  Getter ofScores(double (*get)(const WeightsShared&)) {
    return [&live = live_, get](int) { return live.moments ? number(get(live)) : Value(std::monostate{}); };
  }
  Getter ofBand(attention::Band attention::RandomBands::*which, double attention::Band::*end) {
    return [&live = live_, which, end](int) {
      return live.band.samples > 0 ? number((live.band.*which).*end) : Value(std::monostate{});
    };
  }
  Getter ofBoard(double attention::Scores::*score) {
    return [&live = live_, score](int index) -> Value {
      if (index < 0 || static_cast<std::size_t>(index) >= live.board->size()) return std::monostate{};
      return number((*live.board)[static_cast<std::size_t>(index)].scores.*score);
    };
  }
  /// Across the layers of the stack in sight.
  Getter median(double attention::Scores::*score) {
    return [&live = live_, score](int) -> Value {
      std::vector<double> values;
      for (const LayerScores& layer : *live.board)
        if (live.layer && layer.stack == live.layer->stack) values.push_back(layer.scores.*score);
      return number(attention::quartiles(std::move(values)).median);
    };
  }

  PropertyRegistry& registry_;
  const WeightsShared& live_;
};

void Declarer::model() {
  const WeightsShared& live = live_;
  const auto ofModel = [&live](auto get) -> Getter {
    return [&live, get](int) -> Value { return live.model ? Value(get(*live.model)) : Value(std::monostate{}); };
  };
  add("model", N_("Model"), "", N_("The open checkpoint, by the name of its file or folder."), "",
      ofModel([](const checkpoint::Model& model) { return model.checkpoint->title(); }));
  add("family", N_("Family"), "", N_("The architecture that was recognised, or that a rule of yours names."), "",
      ofModel([](const checkpoint::Model& model) { return model.map.familyName; }));
  add(
      "layers", N_("Layers"), "", N_("Layers of the stack in sight."), "",
      [&live](int) -> Value {
        if (!live.layer) return std::monostate{};
        return static_cast<double>(live.model->map.layersOf(live.layer->stack));
      },
      0);
  add("heads", N_("Query heads"), "H", N_("Query heads of the layer."), "", ofLayer(&checkpoint::AttentionLayer::heads),
      0);
  add("kv_heads", N_("Key heads"), "K", N_("Key heads of the layer; several query heads may share one."), "",
      ofLayer(&checkpoint::AttentionLayer::kvHeads), 0);
  add("d_model", N_("Width"), "d", N_("Rows of W_qk: the width of the query side."), "",
      ofLayer(&checkpoint::AttentionLayer::d_model), 0);
  add("d_h", N_("Width of a head"), "d_h", N_("The rank of one head's form."), "",
      ofLayer(&checkpoint::AttentionLayer::d_h), 0);
  add("tensors", N_("Tensors"), "", N_("Tensors in the checkpoint."), "",
      ofModel([](const checkpoint::Model& model) { return static_cast<double>(model.checkpoint->tensors().size()); }),
      0, true);
  add("parameters", N_("Parameters"), "", N_("Numbers in all tensors; aliases and integers are not counted."), "",
      ofModel([](const checkpoint::Model& model) { return static_cast<double>(model.checkpoint->parameters()); }), 0,
      false, countText);
  add("note", N_("Note"), "", N_("Why there is no matrix to show."), "", [&live](int) -> Value {
    if (!live.failure.empty()) return live.failure;
    if (!live.factorsFailure.empty()) return live.factorsFailure;
    if (live.model && !live.model->map.noForm.empty()) return live.model->map.noForm;
    return std::monostate{};
  });
  add(
      "nonfinite", N_("Not finite"), "",
      N_("Weights of this layer or head that are NaN or infinite; there is no score where there are any."), "",
      [&live](int) -> Value {
        return live.moments ? Value(static_cast<double>(live.moments->nonfinite)) : Value(std::monostate{});
      },
      0);
}

void Declarer::scores() {
  add("symmetry", N_("Symmetry"), "s",
      N_("1 for a symmetric matrix, −1 for a skew one, about 0 for a random one. Pale where a random matrix of the "
         "same shape would score the same."),
      kSymmetryPlace, ofScores([](const WeightsShared& live) { return live.scores.symmetry; }), 6);
  add("directionality", N_("Directionality"), "d",
      N_("Positive where outlying rows (queries) dominate, negative where outlying columns (keys) do."),
      kDirectionalityPlace, ofScores([](const WeightsShared& live) { return live.scores.directionality; }), 6);
  add("directionality.excess", N_("d by excess"), "",
      N_("The variant behind the published tables: outliers count by what their norms exceed the threshold."),
      kDirectionalityPlace, ofScores([](const WeightsShared& live) { return live.excess; }), 6, true);
  add("directionality.sum", N_("d by sum"), "",
      N_("The variant as the definition prints it: outliers count by their whole norms."), kDirectionalityPlace,
      ofScores([](const WeightsShared& live) { return live.sum; }), 6, true);
  add("threshold.row", N_("Row threshold"), "", N_("Norm above which a row is an outlier."), kDirectionalityPlace,
      ofScores([](const WeightsShared& live) { return live.parts.rows.threshold; }), 6, true);
  add("threshold.column", N_("Column threshold"), "", N_("Norm above which a column is an outlier."),
      kDirectionalityPlace, ofScores([](const WeightsShared& live) { return live.parts.columns.threshold; }), 6, true);
  add("outliers.rows", N_("Outlying rows"), "", N_("Rows above their threshold."), kDirectionalityPlace,
      ofScores([](const WeightsShared& live) { return static_cast<double>(live.parts.rows.outliers); }), 0);
  add("outliers.columns", N_("Outlying columns"), "", N_("Columns above their threshold."), kDirectionalityPlace,
      ofScores([](const WeightsShared& live) { return static_cast<double>(live.parts.columns.outliers); }), 0);
}

void Declarer::bands() {
  const char* const help =
      N_("End of the interval in which 95 of 100 random matrices of the same shape and rank score.");
  add("band.symmetry.low", N_("Random s from"), "", help, "Attention-Structure, Proposition A.15",
      ofBand(&attention::RandomBands::symmetry, &attention::Band::low), 5, true);
  add("band.symmetry.high", N_("Random s to"), "", help, "Attention-Structure, Proposition A.15",
      ofBand(&attention::RandomBands::symmetry, &attention::Band::high), 5, true);
  add("band.directionality.low", N_("Random d from"), "", help, "Attention-Structure, Proposition A.16",
      ofBand(&attention::RandomBands::directionality, &attention::Band::low), 5, true);
  add("band.directionality.high", N_("Random d to"), "", help, "Attention-Structure, Proposition A.16",
      ofBand(&attention::RandomBands::directionality, &attention::Band::high), 5, true);
}

void Declarer::board() {
  const WeightsShared& live = live_;
  add("median.symmetry", N_("Median symmetry"), "s", N_("Across the layers of the stack."), kSymmetryPlace,
      median(&attention::Scores::symmetry));
  add("median.directionality", N_("Median directionality"), "d", N_("Across the layers of the stack."),
      kDirectionalityPlace, median(&attention::Scores::directionality));
  add(
      "board.count", N_("Layers of all stacks"), "", N_("How many layers the model has, stack by stack."), "",
      [&live](int) -> Value { return static_cast<double>(live.board->size()); }, 0, true);
  add(
      "board.scored", N_("Scored layers"), "", N_("How many of them have their scores by now."), "",
      [&live](int) -> Value {
        return static_cast<double>(std::count_if(live.board->begin(), live.board->end(),
                                                 [](const LayerScores& layer) { return layer.moments != nullptr; }));
      },
      0, true);
  const auto entry = [&live](int index) -> const LayerScores* {
    const bool there = index >= 0 && static_cast<std::size_t>(index) < live.board->size();
    return there ? &(*live.board)[static_cast<std::size_t>(index)] : nullptr;
  };
  add(
      "board[].stack", N_("Stack"), "", N_("Which attention the layer belongs to."), "",
      [entry](int index) -> Value {
        const LayerScores* const layer = entry(index);
        return layer ? Value(std::string(checkpoint::word(layer->stack))) : Value(std::monostate{});
      },
      0, true);
  add(
      "board[].layer", N_("Layer"), "", N_("The layer, counted from 0 in its stack."), "",
      [entry](int index) -> Value {
        const LayerScores* const layer = entry(index);
        return layer ? Value(static_cast<double>(layer->layer)) : Value(std::monostate{});
      },
      0, true);
  add("board[].symmetry", N_("Symmetry"), "s", N_("Of a layer, all heads together."), kSymmetryPlace,
      ofBoard(&attention::Scores::symmetry), 6, true);
  add("board[].directionality", N_("Directionality"), "d", N_("Of a layer, all heads together."), kDirectionalityPlace,
      ofBoard(&attention::Scores::directionality), 6, true);
}

}  // namespace

void declareWeightsReadOuts(PropertyRegistry& registry, const WeightsShared& live) {
  Declarer declarer(registry, live);
  declarer.scores();
  declarer.model();
  declarer.bands();
  declarer.board();
}

}  // namespace sepx::ui
