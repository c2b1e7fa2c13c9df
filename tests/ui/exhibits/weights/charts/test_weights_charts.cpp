// SPDX-License-Identifier: Apache-2.0
// The charts: their numbers, the drawing, names without overlaps, selection by a click.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/folders.h"
#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/charts/charts_page.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const std::string kEncoder = tests::sourceFolder() + "/tests/models/encoder";
const std::string kDecoder = tests::sourceFolder() + "/tests/models/decoder";

bool meets(const render::Rect& a, const render::Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace

TEST_CASE("The charts have the score of each layer, the quartiles of its heads and the median across layers",
          "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  const std::vector<StackSeries> series = seriesOf(rig.board, ChartScore::Symmetry);
  REQUIRE(series.size() == 1);
  REQUIRE(series[0].points.size() == 4);
  std::vector<double> layers;
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(series[0].points[i].value == rig.board[i].scores.symmetry);
    layers.push_back(rig.board[i].scores.symmetry);
    std::vector<double> heads;
    for (const attention::Scores& head : rig.board[i].headScores)
      heads.push_back(head.symmetry);
    std::sort(heads.begin(), heads.end());
    // Quantile definition 7 for four values.
    CHECK(series[0].points[i].spread.median == Approx((heads[1] + heads[2]) / 2));
    CHECK(series[0].points[i].spread.q1 == Approx(heads[0] + 0.75 * (heads[1] - heads[0])));
  }
  std::sort(layers.begin(), layers.end());
  CHECK(series[0].across.median == Approx((layers[1] + layers[2]) / 2));
  CHECK(series[0].across.q3 == Approx(layers[2] + 0.25 * (layers[3] - layers[2])));
}

TEST_CASE("The title of a chart is never shortened, at any width", "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.settle();
  for (double width = 480; width <= 1600; width += 40) {
    rig.area.max.x = rig.area.min.x + width;
    rig.look("charts");
    for (const char* layer : {"charts.layers.s", "charts.layers.d"}) {
      INFO(width << " " << layer);
      bool titled = false;
      for (const render::Label& label : rig.items<render::Label>(layer)) {
        if (label.text.find("by layer") == std::string::npos) continue;
        titled = true;
        CHECK_FALSE(label.text.ends_with("…"));
      }
      CHECK(titled);
    }
  }
}

TEST_CASE("charts by layer: a point is at the height of its score, and a click selects the layer",
          "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.settle();
  rig.look("charts");
  CHECK(rig.page->facts(rig.shared).complete);
  REQUIRE(rig.layer("charts.layers.s"));
  REQUIRE(rig.layer("charts.layers.d"));
  CHECK(rig.texts("charts.layers.s")
            .find("median " + scoreText(seriesOf(rig.board, ChartScore::Symmetry)[0].across.median)) !=
        std::string::npos);
  std::vector<render::Marker> points;
  for (const render::Marker& marker : rig.items<render::Marker>("charts.layers.s"))
    if (marker.size == 8) points.push_back(marker);
  REQUIRE(points.size() == 4);
  // The height is linear in the score.
  const auto s = [&](std::size_t i) { return rig.board[i].scores.symmetry; };
  const double slope = (points[3].at.y - points[0].at.y) / (s(3) - s(0));
  CHECK(slope < 0);
  CHECK(points[2].at.y - points[0].at.y == Approx(slope * (s(2) - s(0))).margin(1e-6));
  rig.frame({PointerMoved{points[2].at.x, points[2].at.y}});
  CHECK(rig.cursor == Cursor::Hand);
  CHECK(rig.texts("charts.tip").find("layer 2: s = " + scoreText(s(2), 4)) != std::string::npos);
  rig.click(points[2].at);
  CHECK(rig.number("weights.layer") == 2);
  CHECK(rig.text("weights.page") == "matrix");  // still the page of the fixture
  // A chart without a change keeps its revision.
  rig.frame({PointerLeft{}});
  const std::uint64_t revision = rig.layer("charts.layers.s")->revision;
  rig.frame();
  CHECK(rig.layer("charts.layers.s")->revision == revision);
}

TEST_CASE("Heads can be switched off", "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.settle();
  const std::size_t with = rig.items<render::Marker>("charts.layers.s").size();
  rig.set("weights.charts.heads", false);
  rig.settle();
  CHECK(with - rig.items<render::Marker>("charts.layers.s").size() == 16);
}

TEST_CASE("Published models and the open model are shown over the number of parameters", "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.set("weights.charts.show", std::string("models"));
  rig.area = {{0, 0}, {1280, 640}};
  rig.settle();
  rig.look("models");
  auto& page = dynamic_cast<ChartsPage&>(*rig.page);
  const std::vector<ModelDot>& dots = page.dots(ChartScore::Symmetry);
  CHECK(rig.number("weights.charts.models") == static_cast<double>(dots.size()));
  CHECK(dots.size() > 54);
  const auto named = [&](const std::string& name) {
    return *std::find_if(dots.begin(), dots.end(), [&](const ModelDot& dot) { return dot.name == name; });
  };
  CHECK(named("BERT-tiny").value.median == Approx(0.77));
  CHECK(named("BERT-tiny").kind == ModelClass::Encoder);
  CHECK(named("LLaMA3-8B").kind == ModelClass::Decoder);
  CHECK_FALSE(named("LLaMA3-8B").unsafe.empty());
  CHECK(named("BEiT-base-224").kind == ModelClass::Modality);
  const ModelDot& own = dots.back();
  CHECK(own.own);
  CHECK(own.value.median == Approx(seriesOf(rig.board, ChartScore::Symmetry)[0].across.median));
  CHECK(own.kind == ModelClass::Encoder);

  // Names of models do not overlap.
  const Theme& theme = *findTheme("dark");
  std::vector<render::Rect> boxes;
  for (const render::Label& label : rig.items<render::Label>("charts.models.s")) {
    if (std::none_of(dots.begin(), dots.end(), [&](const ModelDot& dot) { return dot.name == label.text; })) continue;
    const double width = textWidth(label.text, static_cast<double>(label.size)),
                 half = 0.4 * static_cast<double>(label.size);
    boxes.push_back({{label.at.x, label.at.y - half}, {label.at.x + width, label.at.y + half}});
  }
  CHECK(boxes.size() > 20);
  std::size_t overlaps = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      overlaps += meets(boxes[i], boxes[k]);
  CHECK(overlaps == 0);

  // Crossed dots were published with wrong pairs of heads. ModernBERT, whose heads have separate keys, is only hollow.
  CHECK(named("LLaMA3-8B").mispaired);
  CHECK_FALSE(named("GPT2-XL").mispaired);
  CHECK_FALSE(named("ModernBERT-base").unsafe.empty());
  CHECK_FALSE(named("ModernBERT-base").mispaired);
  const auto crosses = rig.items<render::Marker>("charts.models.s");
  CHECK(std::count_if(crosses.begin(), crosses.end(), [](const render::Marker& marker) {
          return marker.shape == render::Shape::Cross;
        }) == std::count_if(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.mispaired; }));

  // The tooltip of a dot that is not comparable gives the reason.
  const ChartContent chart = scatterChart(dots, ChartScore::Symmetry, theme);
  const auto unsafe = static_cast<std::size_t>(
      std::find_if(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.mispaired; }) - dots.begin());
  std::string said;
  const ChartHit hit{2 * unsafe + 1};
  const std::optional<ChartSpot> spot = chart.spot({}, &hit);
  REQUIRE(spot);
  for (const std::string& line : spot->lines)
    said += line + " ";
  CHECK(said.find("Not comparable") != std::string::npos);
  CHECK(said.find(dots[unsafe].unsafe.substr(0, 12)) != std::string::npos);

  // A model in neither table is hollow, and the tooltip names its source. The class of one stack of two is a separate
  // class.
  CHECK(named("T5-base, decoder").kind == ModelClass::EncoderDecoder);
  CHECK(named("DINOv2-base").kind == ModelClass::Modality);
  CHECK(named("GPT2").source.empty());
  const auto elsewhere = static_cast<std::size_t>(
      std::find_if(dots.begin(), dots.end(), [](const ModelDot& dot) { return dot.name == "GPT2-large"; }) -
      dots.begin());
  const ChartHit there{2 * elsewhere + 1};
  said.clear();
  const std::optional<ChartSpot> tells = chart.spot({}, &there);
  REQUIRE(tells);
  for (const std::string& line : tells->lines)
    said += line + " ";
  CHECK(said.find("in neither table") != std::string::npos);
  CHECK(chart.chart.series[2 * elsewhere + 1].look.hollow);

  rig.set("weights.charts.published", false);
  rig.settle();
  CHECK(rig.number("weights.charts.models") == 1);
}

TEST_CASE("charts by layer: a value of one stack is drawn only for it, and its source is named if no table has it",
          "[weights][charts]") {
  attention::PublishedModel row;
  row.symmetry = {{0.08, 0.01, 0.01, "a file"}};
  row.stack = "decoder";
  std::vector<StackSeries> series(1);
  series[0].points.resize(2);
  series[0].points[1].layer = 1;
  const LayerChart asked{.series = &series, .theme = findTheme("dark"), .width = 600, .published = &row};
  const auto words = [&asked] {
    std::string text;
    for (const ChartReference& reference : layerChart(asked).chart.references)
      text += reference.name;
    return text;
  };
  CHECK(words().empty());
  series[0].stack = checkpoint::Stack::Decoder;
  CHECK(words() == "median in the authors' repository (decoder) 0.08");
  row.symmetry.front().source.clear();
  row.stack.clear();
  CHECK(words() == "published median 0.08");
}

TEST_CASE("The second checkpoint is in the plot too", "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.set("weights.charts.show", std::string("models"));
  rig.set("weights.charts.published", false);
  Property compare;
  compare.key = "weights.compare.checkpoint";
  compare.into = &WeightsState::comparePath;
  compare.kind = Kind::Text;
  compare.fallback = kDecoder;
  rig.editor.registry.declare(compare);
  rig.settle();
  auto& page = dynamic_cast<ChartsPage&>(*rig.page);
  const std::vector<ModelDot>& dots = page.dots(ChartScore::Directionality);
  REQUIRE(dots.size() == 2);
  CHECK(dots[1].compared);
  CHECK(dots[1].kind == ModelClass::Decoder);
  CHECK(dots[1].value.median < -0.5);
}

TEST_CASE("Scores of several models of different widths and depths are in one chart", "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.set("weights.charts.show", std::string("several"));
  rig.set("weights.charts.other1", kDecoder);
  rig.set("weights.charts.other2", tests::sourceFolder() + "/assets/models/grouped");
  rig.settle();
  rig.look("several");
  CHECK(rig.page->facts(rig.shared).complete);
  const std::string legend = rig.texts("charts.several.s");
  for (const char* name : {"encoder", "decoder", "grouped"})
    CHECK(legend.find(std::string(name) + " (median ") != std::string::npos);
  const Numbers numbers = rig.page->facts(rig.shared).numbers();
  REQUIRE(numbers.tables.size() == 1);
  const Table& table = numbers.tables.front();
  const auto& models = std::get<std::vector<std::string>>(table.find("model")->values);
  const auto& depth = std::get<std::vector<double>>(table.find("depth")->values);
  const auto& symmetry = std::get<std::vector<double>>(table.find("symmetry")->values);
  CHECK(symmetry[2] == rig.board[2].scores.symmetry);
  double wide = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    CHECK(depth[i] >= 0);
    CHECK(depth[i] <= 1);
    CHECK(std::isfinite(symmetry[i]));
    if (models[i] == "grouped") ++wide;
  }
  CHECK(wide > 0);
  CHECK(depth[0] == 0);
  CHECK(depth[3] == 1);
  const std::uint64_t revision = rig.layer("charts.several.s")->revision;
  rig.set("weights.charts.depth", std::string("layer"));
  rig.settle();
  CHECK(rig.layer("charts.several.s")->revision != revision);
  CHECK(rig.texts("charts.several.s").find("layer\n") != std::string::npos);
  REQUIRE(rig.run("weights.charts-add"));
  CHECK(rig.chosenFor == "weights.charts.other3");
  CHECK(rig.text("weights.charts.problem").empty());
  rig.set("weights.charts.other4", std::string("/nowhere/model.safetensors"));
  rig.settle();
  CHECK(rig.page->facts(rig.shared).complete);
  CHECK(rig.text("weights.charts.problem").find("/nowhere/model.safetensors: ") == 0);
  REQUIRE(rig.editor.said.size() == 1);  // reported once, in the messages of the window
  CHECK(rig.editor.said[0] == rig.text("weights.charts.problem"));
  REQUIRE(rig.run("weights.charts-remove"));
  rig.settle();
  CHECK(rig.texts("charts.several.s").find("decoder") == std::string::npos);
}

TEST_CASE("The numbers of the charts can be exported", "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kDecoder);
  rig.settle();
  const Numbers numbers = rig.page->facts(rig.shared).numbers();
  REQUIRE(numbers.tables.size() == 2);
  REQUIRE(numbers.tables[0].rows() == 4);
  CHECK(std::get<std::vector<double>>(numbers.tables[0].find("directionality")->values)[1] ==
        rig.board[1].scores.directionality);
  CHECK(numbers.tables[1].rows() == 16);
  CHECK(rig.page->facts(rig.shared).caption().find("γ = 2") != std::string::npos);
}

TEST_CASE("charts by layer: the selected layer is a line, heads are visible, and missing values are reported",
          "[weights][charts]") {
  PageRig rig(makeChartsPage());
  rig.open(kEncoder);
  rig.settle();
  rig.look("charts");
  const auto widest = [&rig] {
    double most = 0;  // largest width of a fill in the accent colour, the colour of the mark
    const render::Color accent = findTheme(rig.theme)->accent;
    for (const render::Fill& fill : rig.items<render::Fill>("charts.layers.s"))
      if (fill.color.r == accent.r && fill.color.g == accent.g)
        for (const render::Point& point : fill.points)
          most = std::max(most, std::abs(point.x - fill.points.front().x));
    return most;
  };
  CHECK(widest() == 0);
  bool large = false;
  for (const render::Marker& marker : rig.items<render::Marker>("charts.layers.s"))
    large = large || (marker.size >= 5 && marker.size < 7);
  CHECK(large);
  CHECK(rig.texts("charts.legend").find("no values of this checkpoint") != std::string::npos);
  rig.set("weights.charts.published", false);
  rig.settle();
  CHECK(rig.texts("charts.legend").find("no values of this checkpoint") == std::string::npos);
  // A figure has neither the mark nor the remark.
  const auto lines = [&rig] { return rig.items<render::Polyline>("charts.layers.s").size(); };
  const std::size_t shown = lines();
  rig.figure = true;
  rig.settle();
  CHECK(lines() < shown);
}
