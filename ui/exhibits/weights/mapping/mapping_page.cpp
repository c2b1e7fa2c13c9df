// SPDX-License-Identifier: Apache-2.0
// The mapping page: filter, panel, commands, declarations, numbers and views.
#include "ui/exhibits/weights/mapping/mapping_page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "engine/checkpoint/family_guess.h"
#include "engine/checkpoint/family_json.h"
#include "ui/canvas/shapes.h"
#include "ui/page/number_table.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c < 0x80 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
  return text;
}

/// Whether the text contains every word of the filter.
bool passes(const std::string& text, const std::string& filter) {
  std::size_t at = 0;
  while (at < filter.size()) {
    const std::size_t end = std::min(filter.find(' ', at), filter.size());
    if (text.find(filter.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace

std::unique_ptr<WeightsPage> makeMappingPage() {
  return std::make_unique<MappingPage>();
}

bool MappingPage::byHand(const WeightsShared& shared) const {
  return shared.model && (ruleShown_ || shared.model->map.layers.empty());
}

void MappingPage::filter(const WeightsShared& shared, const std::string& text) {
  if (shownOf_ == shared.modelRevision && filter_ == text) return;
  shownOf_ = shared.modelRevision;
  filter_ = text;
  shown_.clear();
  if (!shared.model) return;
  const std::string wanted = lower(text);
  const std::vector<checkpoint::TensorInfo>& tensors = shared.model->checkpoint->tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (passes(lower(tensors[i].name) + " " + shapeText(tensors[i].shape) + " " + lower(tensors[i].dtypeName), wanted))
      shown_.push_back(static_cast<std::uint32_t>(i));
  // Tensors of the optimiser of a training run come after those of the model.
  std::stable_partition(shown_.begin(), shown_.end(), [&](std::uint32_t i) {
    const std::string& name = tensors[i].name;
    return lower(name.substr(0, name.find('.'))).find("optim") == std::string::npos;
  });
}

/// The rule in the document. Its number of heads replaces the one in the config of this model.
checkpoint::FamilyRule MappingPage::ruleFor(const WeightsShared& shared, const ExhibitContext& context) {
  checkpoint::FamilyRule rule = ruleOf(context.editor.document(), context.editor.properties());
  if (rule.heads > 0 && shared.model) rule.insteadOf = checkpoint::headsOfConfig(*shared.model->checkpoint);
  return rule;
}

void MappingPage::read(const Document& document, const PropertyRegistry& registry, const WeightsShared&) {
  registry.read(document, *this);
}

void MappingPage::ask(const PageFrame& frame, ExhibitContext& context) {
  const WeightsShared& shared = frame.shared;
  filter(shared, context.editor.properties().text(context.editor.document(), "weights.mapping.filter"));
  const checkpoint::FamilyRule rule = ruleFor(shared, context);
  ruleNamed_ = !rule.name.empty();
  rule_.update(byHand(shared) ? shared.model : nullptr, rule, context);
  results_.follow(rule_.revision());
  statistics_.refresh(context.jobs);
  TensorRequest wanted{shared.model, tensor_};
  if (!statistics_.requested() || !(*statistics_.requested() == wanted)) statistics_.clear();
  if (!shared.model || !shared.model->checkpoint->find(tensor_)) return;
  statistics_.ask(context.jobs, std::move(wanted), tr("statistics of a tensor"),
                  [](const TensorRequest& request, auto& output) { return statisticsOf(request, output); });
}

void MappingPage::panel(const PageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Tensors"), "weights.mapping.", {"filter", "tensors"});
  panel.rows("weights.tensor.", {"min", "max", "mean", "median", "zeros", "nonfinite"});
  panel.row("weights.mapping.embedding");
  if (panel.button(tr("Use the selected tensor"), "weights.mapping-embedding", !tensor_.empty()))
    run(frame, context, "weights.mapping-embedding");
  panel.heading(tr("Map by hand"));
  if (frame.shared.model && !frame.shared.model->map.layers.empty()) panel.row("weights.rule.show");
  if (!byHand(frame.shared)) return;
  if (panel.button(tr("Guess from the names"), "weights.rule-guess")) run(frame, context, "weights.rule-guess");
  panel.rows("weights.rule.",
             {"query", "key", "query_bias", "key_bias", "fusion", "transposed", "causal", "heads", "kv_heads"});
  panel.rows("weights.rule.matches.", {"query", "key"});
  const RuleTrial& trial = rule_.trial();
  panel.sentence(rule_.fits() ? mapWords(*trial.map) : trial.failure);
  panel.row("weights.rule.name");
  if (panel.button(tr("Save the rule and apply it"), "weights.rule-save", rule_.fits()))
    run(frame, context, "weights.rule-save");
}

namespace {

/// A rule never replaces another one: "my model" becomes "my model 2". Only the rule that the open model was mapped
/// with keeps its name and is replaced.
void takeFreeName(checkpoint::FamilyRule& rule, const checkpoint::AttentionMap& map, const std::string& folder) {
  const std::string key = rule.key, name = rule.name;
  std::error_code ignored;
  for (int n = 2; rule.key != map.family && std::filesystem::exists(folder + "/" + rule.key + ".json", ignored); ++n) {
    rule.key = key + "-" + std::to_string(n);
    rule.name = name + " " + std::to_string(n);
  }
}

}  // namespace

void MappingPage::takeEmbedding(ExhibitContext& context) const {
  if (tensor_.empty()) return context.editor.say(tr("Choose a tensor in the list first."));
  setAsStep(context.editor, "weights.mapping.embedding", tensor_);
}

void MappingPage::guess(const WeightsShared& shared, ExhibitContext& context) {
  if (!shared.model) return;
  const checkpoint::FamilyRule guess = checkpoint::guessRule(*shared.model->checkpoint);
  if (guess.stacks.empty() || guess.stacks.front().query.empty())
    return context.editor.say(
        tr("No tensor name looks like queries or keys; write the patterns by hand from the list of tensors."));
  context.editor.seal();
  context.editor.commit(withRule(context.editor.document(), guess).with("weights.rule.show", true),
                        tr("guess patterns"));
  context.editor.seal();
}

void MappingPage::saveRule(const WeightsShared& shared, ExhibitContext& context) const {
  if (!shared.model) return;
  checkpoint::FamilyRule rule = ruleFor(shared, context);
  if (!context.rules.empty()) takeFreeName(rule, shared.model->map, context.rules);
  if (!rule_.fits()) return context.editor.say(rule_.trial().failure);
  if (context.rules.empty())
    return context.editor.say(tr("There is no folder for rules here, so the rule cannot be saved."));
  if (const Result<void> written = checkpoint::writeRule(context.rules, rule); !written)
    context.editor.say(written.error().message);
  else if (shared.reopen)
    shared.reopen();
}

std::vector<WeightsPage::Command> MappingPage::commands(const WeightsShared& shared, const Document&) {
  return {{"weights.mapping-embedding", tr("Use the selected tensor as token embedding"), "", tr("Exhibit"),
           !tensor_.empty(), [this](ExhibitContext& context) { takeEmbedding(context); }},
          {"weights.rule-guess", tr("Guess patterns from the names"), "", tr("Exhibit"), true,
           [&shared](ExhibitContext& context) { guess(shared, context); }},
          {"weights.rule-save", tr("Save the rule and apply it"), "", tr("Exhibit"), rule_.fits() && ruleNamed_,
           [this, &shared](ExhibitContext& context) { saveRule(shared, context); }}};
}

// Declarations, numbers and caption of the mapping page.

Condition onMapping(const WeightsShared& live) {
  return [&live](const Document& document) {
    return document.at("weights.page") == "mapping" || (live.model && live.model->map.layers.empty());
  };
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t side : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + "]";
}

std::string bytesText(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit)
    bytes /= 1000;
  return shownFixed(bytes, unit == 0 || bytes >= 100 ? 0 : 1) + " " + kUnits[unit];
}

void MappingPage::declare(PropertyRegistry& registry, const WeightsShared& live) {
  const Condition here = onMapping(live);
  const auto tensorChosen = [](const Document& document) {
    const Json& chosen = document.at("weights.mapping.tensor");
    return chosen.is_string() && !chosen.get<std::string>().empty();
  };
  const Getters statistics([this](int) { return statistics_.value().get(); });
  // clang-format off
  declareParameters(registry, {.prefix = "weights.", .applies = here}, {
      {.key = "mapping.filter", .label = N_("Filter"), .fallback = "",
       .help = N_("Only tensors whose name, shape or format contains all of these words are listed."),
       .undoable = false},
      {.key = "mapping.tensor", .into = &MappingPage::tensor_, .label = N_("Tensor"), .fallback = "",
       .help = N_("The tensor whose statistics are shown."), .undoable = false, .inPicture = true},
      {.key = "mapping.embedding", .into = &WeightsState::embedding, .label = N_("Embedding"), .fallback = "",
       .help = N_("The token embedding: the name, as in the list, of the tensor with a row for each token. Set it if "
                  "none was recognised or another one is meant, such as the source or the target embedding of an "
                  "encoder–decoder. Empty: as recognised. The page Token pair uses it.")},
      {.key = "rule.show", .into = &MappingPage::ruleShown_, .label = N_("Map by hand"), .fallback = false,
       .help = N_("Shows the mapping assistant even if a family was recognised, to map the model differently."), .inPicture = true}});
  declareReadOuts(registry, {.applies = here}, {
      {.key = "weights.mapping.tensors", .label = N_("Tensors listed"),
       .help = N_("Number of tensors that match the filter."), .digits = 0,
       .get = gettersOf(*this)(&MappingPage::tensorsShown)}});
  declareReadOuts(registry, {.prefix = "weights.tensor.", .applies = both(here, tensorChosen)}, {
      {.key = "min", .label = N_("Minimum"), .help = N_("The smallest of the selected tensor's finite values."),
       .get = statistics([](const TensorStatistics& of) { return of.histogram.lowest(); }), .numberWords = formatReading},
      {.key = "max", .label = N_("Maximum"), .help = N_("The largest of the selected tensor's finite values."),
       .get = statistics([](const TensorStatistics& of) { return of.histogram.highest(); }), .numberWords = formatReading},
      {.key = "mean", .label = N_("Mean"), .help = N_("The mean of the selected tensor's finite values."),
       .get = statistics(&TensorStatistics::mean), .numberWords = formatReading},
      {.key = "median", .label = N_("Median"), .help = N_("Median of the selected tensor's finite values, accurate to "
                                                          "0.2 %."),
       .get = statistics([](const TensorStatistics& of) { return of.histogram.percentile(50); }),
       .numberWords = formatReading},
      {.key = "zeros", .label = N_("Zeros"), .help = N_("Values of the selected tensor that are exactly 0."),
       .digits = 0, .get = statistics(&TensorStatistics::zeros)},
      {.key = "nonfinite", .label = N_("NaN/Inf entries"),
       .help = N_("Values of the selected tensor that are NaN or infinite."), .digits = 0,
       .get = statistics([](const TensorStatistics& of) { return of.histogram.nonfinite(); })}});
  // clang-format on
  const auto byHand = [&live](const Document& document) {
    return document.at("weights.rule.show") == true || (live.model && live.model->map.layers.empty());
  };
  declareRule(registry, rule_, both(here, byHand));
}

Numbers MappingPage::numbers(const WeightsShared& shared) const {
  Numbers numbers;
  if (!shared.model) return numbers;
  using Tensor = checkpoint::TensorInfo;
  using Row = checkpoint::MappingRow;
  numbers.tables.push_back(
      numberTable("tensors", shared.model->checkpoint->tensors(), NumberColumn{"tensor", &Tensor::name},
                  NumberColumn{"shape", [](const Tensor& of) { return shapeText(of.shape); }},
                  NumberColumn{"format", &Tensor::dtypeName}, NumberColumn{"values", &Tensor::values},
                  NumberColumn{"bytes", &Tensor::bytes}, NumberColumn{"alias_of", &Tensor::aliasOf}));
  const auto& mapping = shared.model->map.mapping;
  if (!mapping.empty())
    numbers.tables.push_back(
        numberTable("mapping", mapping, NumberColumn{"what", &Row::what}, NumberColumn{"from", &Row::from}));
  return numbers;
}

std::string MappingPage::caption(const WeightsShared& shared) const {
  if (!shared.model) return {};
  const checkpoint::AttentionMap& map = shared.model->map;
  return fmt::format(
      "{}: {}. {}.", shared.title(), tr("where queries and keys lie among its tensors"),
      map.layers.empty() ? std::string(tr("Its family is unknown")) : map.familyName + ", " + mapWords(map));
}

// The views of the mapping page.

namespace {

constexpr double kWide = 820;  // width in points from which the lists are side by side
constexpr std::size_t kMostNotes = 6;
constexpr double kRoomy = 60;                                           // height, multiples of the type size
constexpr double kLeastTensors = 8;                                     // height, multiples of the small type
constexpr double kMostHead = 0.45, kMostRule = 0.6, kMostNarrow = 0.3;  // largest shares of the height

}  // namespace

TextContent MappingPage::head(const PageFrame& frame) const {
  using Role = NoteLine::Role;
  TextContent text;
  const checkpoint::Model& model = *frame.shared.model;
  const bool known = !model.map.layers.empty();
  text.lines.push_back(
      {{frame.shared.title() + " — " +
        (known || !model.map.familyName.empty() ? model.map.familyName : std::string(tr("unknown family")))},
       Role::Heading});
  text.lines.push_back(
      {{fmt::format("{}, {} {}, {} {}, {}{}{}", checkpoint::name(model.checkpoint->format()),
                    model.checkpoint->tensors().size(), tr("tensors"),
                    countText(static_cast<double>(model.checkpoint->parameters())), tr("parameters"),
                    bytesText(static_cast<double>(model.checkpoint->bytes())),
                    model.map.recognisedBy.empty() ? "" : std::string(" · ") + tr("recognised by") + " ",
                    model.map.recognisedBy)},
       Role::Muted});
  const auto muted = [&text](std::string line) { text.lines.push_back({{std::move(line)}, Role::Muted}); };
  if (known) muted(mapWords(model.map));
  if (!model.map.noQkReason.empty()) muted(sentenceCase(model.map.noQkReason));
  std::vector<std::string> notes = model.map.notes;
  notes.insert(notes.end(), model.checkpoint->notes().begin(), model.checkpoint->notes().end());
  for (std::size_t i = 0; i < notes.size() && i < (frame.compact ? 2 : kMostNotes); ++i)
    muted("· " + notes[i]);
  return text;
}

TextContent MappingPage::ruleText(const WeightsShared& shared) const {
  using Role = NoteLine::Role;
  TextContent text{.lines = {}, .scrolls = true};
  if (!byHand(shared)) return text;
  const RuleTrial& trial = rule_.trial();
  text.lines.push_back({{tr("Map by hand")}, Role::Heading});
  text.lines.push_back(
      {{tr("Enter the names of the query and key tensors in the panel, with {layer} in place of the layer's number. "
           "The list of tensors shows the names; \"Guess from the names\" gives a first guess. A saved rule is then "
           "used for every model that it fits.")},
       Role::Muted});
  text.lines.push_back({{fmt::format("{} {} {}, {} {}", tr("The patterns find"), trial.query, tr("tensors of queries"),
                                     trial.key, tr("of keys."))}});
  text.lines.push_back({{sentenceCase(rule_.fits() ? mapWords(*trial.map) : trial.failure)}});
  return text;
}

TextContent MappingPage::rows(const WeightsShared& shared) const {
  using Role = NoteLine::Role;
  TextContent text{.lines = {}, .scrolls = true};
  const checkpoint::AttentionMap& map = byHand(shared) && rule_.fits() ? *rule_.trial().map : shared.model->map;
  if (!map.mapping.empty()) text.lines.push_back({{tr("Where W_Q and W_K are")}, Role::Heading});
  for (const checkpoint::MappingRow& row : map.mapping) {
    text.lines.push_back({{row.what}, Role::Muted});
    text.lines.push_back({{"    " + row.from}});
  }
  return text;
}

ChoicesContent MappingPage::buttons(const WeightsShared& shared) const {
  if (!byHand(shared)) return {};
  return {{{"weights.rule-guess", "", {{"", tr("Guess from the names")}}},
           {"weights.rule-save", "", {{"", tr("Save the rule and apply it"), false, rule_.fits()}}}}};
}

TableContent MappingPage::tensors(const checkpoint::Checkpoint& checkpoint) const {
  TableContent table;
  table.columns = {{tr("tensor"), 0.52}, {tr("shape"), 0.22}, {tr("format"), 0.12}, {tr("size"), 0.14, true}};
  using Role = NoteLine::Role;
  for (const std::uint32_t i : shown_) {
    const checkpoint::TensorInfo& tensor = checkpoint.tensors()[i];
    if (tensor.name == tensor_) table.chosen = table.cells.size();
    table.cells.push_back(
        {tensor.name, shapeText(tensor.shape), tensor.dtypeName,
         tensor.aliasOf.empty() ? bytesText(static_cast<double>(tensor.bytes)) : std::string(tr("alias"))});
    table.roles.push_back({Role::Normal, Role::Muted, Role::Muted, Role::Muted});
  }
  table.pick = [this, &checkpoint](std::size_t row) {
    const std::string& name = checkpoint.tensors()[shown_[row]].name;
    return Changes{{"weights.mapping.tensor", name == tensor_ ? std::string() : name}};
  };
  return table;
}

Views MappingPage::views(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (!shared.model) return sentenceAlone(modelSentence(shared));
  const Theme& theme = frame.theme;
  const double space = theme.space;
  const bool wide = frame.area.width() - 3 * space >= kWide;
  TextContent rule = ruleText(shared), rows = this->rows(shared);
  const bool roomy = wide && frame.area.height() >= kRoomy * theme.textSize;
  rows.large = roomy;
  // A narrow page has one scrolling text for both.
  if (!wide) rows.lines.insert(rows.lines.begin(), rule.lines.begin(), rule.lines.end());
  if (!wide) rule.lines.clear();
  Views made{{{"head", head(frame)},
              {"rule", std::move(rule)},
              {"buttons", buttons(shared)},
              {"rows", std::move(rows)},
              {"tensors", tensors(*shared.model->checkpoint)}},
             {}};
  Arrangement lists{.kind = Arrangement::Kind::Column, .parts = {viewNamed("tensors")}, .gap = space};
  std::vector<Arrangement> ofTensor;
  if (!tensor_.empty() && shared.model->checkpoint->find(tensor_)) {
    made.views.push_back({"statistics", statisticsText()});
    ofTensor.push_back(asHighAsContent("statistics"));
    if (std::optional<ChartContent> chart = distribution(theme)) {
      made.views.push_back({"statistics.distribution", *std::move(chart)});
      ofTensor.push_back(viewNamed("statistics.distribution"));
      ofTensor.back().length = (roomy ? 16 : 8) * static_cast<double>(theme.smallSize);
      ofTensor.back().mostShare = 0.3;
    }
  }
  std::vector<Arrangement> parts{asHighAsContent("head")};
  parts.front().mostShare = kMostHead;
  if (wide) {
    Arrangement mapping{.kind = Arrangement::Kind::Column,
                        .parts = {asHighAsContent("rule"), asHighAsContent("buttons"), viewNamed("rows")},
                        .gap = space,
                        .weight = 0.38};
    mapping.parts.front().mostShare = kMostRule;
    if (roomy && !ofTensor.empty()) {  // below the mapping, so that the list keeps its rows
      mapping.parts.back().natural = true;
      mapping.parts.back().mostShare = kMostRule;
      std::ranges::move(ofTensor, std::back_inserter(mapping.parts));
      ofTensor.clear();
    }
    std::ranges::move(ofTensor, std::back_inserter(lists.parts));
    lists.weight = 0.62;
    parts.push_back(
        {.kind = Arrangement::Kind::Row, .parts = {std::move(mapping), std::move(lists)}, .gap = 2 * space});
  } else {
    Arrangement rowsPart = asHighAsContent("rows");
    rowsPart.mostShare = kMostNarrow;
    rowsPart.order = 1;  // left out first, so that a low page has the tensors
    rowsPart.called = tr("where queries and keys are");
    std::ranges::move(ofTensor, std::back_inserter(lists.parts));
    lists.leastHeight = kLeastTensors * static_cast<double>(theme.smallSize);
    parts.insert(parts.end(), {std::move(rowsPart), asHighAsContent("buttons"), std::move(lists)});
  }
  made.arrangement = {
      .kind = Arrangement::Kind::Column, .parts = std::move(parts), .gap = space, .margin = 1.5 * space};
  return made;
}

/// The statistics of the selected tensor.
TextContent MappingPage::statisticsText() const {
  using Role = NoteLine::Role;
  TextContent text{.lines = {{{tensor_}}}, .oneLine = true};
  const auto line = [&text](std::string words) { text.lines.push_back({{std::move(words)}, Role::Muted}); };
  if (!statistics_.sentence().empty()) {
    line(statistics_.sentence());
  } else if (!statistics_.value()) {
    line(tr("reading its values…"));
  } else {
    const TensorStatistics& s = *statistics_.value();
    const attention::Histogram& h = s.histogram;
    line(fmt::format("{} {} · {} {} · {} {}", countText(static_cast<double>(h.finite() + h.nonfinite())), tr("values"),
                     s.zeros, tr("zeros"), h.nonfinite(), tr("NaN/Inf")));
    if (h.finite() == 0) return text;
    line(fmt::format("{} {} … {} · {} {} · {} {}", tr("from"), formatReading(h.lowest()), formatReading(h.highest()),
                     tr("mean"), formatReading(s.mean), tr("deviation"), formatReading(s.deviation)));
    line(fmt::format("1 %: {} · 25 %: {} · 50 %: {} · 75 %: {} · 99 %: {}", formatReading(h.percentile(1)),
                     formatReading(h.percentile(25)), formatReading(h.percentile(50)), formatReading(h.percentile(75)),
                     formatReading(h.percentile(99))));
  }
  return text;
}

/// A histogram of the selected tensor between the 0.1st and the 99.9th percentile; empty optional if these are equal.
std::optional<ChartContent> MappingPage::distribution(const Theme& theme) const {
  constexpr int kBins = 80;
  if (!statistics_.value() || statistics_.value()->histogram.finite() == 0) return std::nullopt;
  const attention::Histogram& h = statistics_.value()->histogram;
  const double low = h.percentile(0.1), high = h.percentile(99.9), step = (high - low) / kBins;
  if (!(high > low)) return std::nullopt;
  LineChart chart;
  chart.compact = true;
  chart.x = {.from = low, .to = high};
  chart.y = {.bare = true, .from = 0};
  ChartSeries& bars = chart.series.emplace_back();
  bars.look = {.color = theme.globalMin, .width = 0, .stem = static_cast<float>(0.85 * step)};
  bars.y = h.bins(low, high, kBins);
  for (int i = 0; i < kBins; ++i)
    bars.x.push_back(low + (i + 0.5) * step);
  if (low < 0 && high > 0)
    chart.references.push_back({.value = 0, .look = {theme.text, render::Dash::Dotted, 1}, .vertical = true});
  return ChartContent{.chart = std::move(chart)};
}

}  // namespace sepx::ui
