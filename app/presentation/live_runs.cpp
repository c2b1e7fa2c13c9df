// SPDX-License-Identifier: Apache-2.0
// See live_runs.h.
#include "app/presentation/live_runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/presentation/message_reader.h"
#include "engine/render/svg_text.h"
#include "engine/tokenizer/normalizer.h"
#include "engine/train/run_store.h"

namespace sepx::app {
namespace {

using train::MatrixSnapshot;
using train::Metric;
using train::Snapshot;
using ui::Json;

constexpr int kRunStates = 6;
constexpr std::size_t kMostBounds = 64, kMostMatrices = 4096, kMostText = 4096;
constexpr std::int64_t kMostSteps = 1'000'000'000'000'000;
constexpr int kMostPlace = 1 << 20;  // layers, heads, rows

Json orNone(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json numbersJson(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values)
    json.push_back(orNone(value));
  return json;
}

Json matrixJson(const MatrixSnapshot& matrix) {
  const std::string_view bytes(reinterpret_cast<const char*>(matrix.values.data()),
                               matrix.values.size() * sizeof(float));
  return {{"parameter", matrix.parameter},
          {"rows", matrix.rows},
          {"columns", matrix.columns},
          {"values", render::svg::base64(bytes)},
          {"singular", numbersJson(matrix.singular)},
          {"left", numbersJson(matrix.left)},
          {"right", numbersJson(matrix.right)}};
}

/// Writes each metric as [name, layer, head, step, value], where the name is an index into "names".
void addMetrics(const Snapshot& now, std::size_t from, Json& to) {
  Json names = Json::array(), metrics = Json::array();
  std::map<std::int32_t, std::size_t> places;
  for (std::size_t i = from; i < now.metrics.size(); ++i) {
    const Metric& metric = now.metrics[i];
    const auto [place, isNew] = places.try_emplace(metric.name, places.size());
    if (isNew) names.push_back(train::metricName(metric.name));
    metrics.push_back(Json::array({place->second, metric.layer, metric.head, metric.step, orNone(metric.value)}));
  }
  to["first"] = now.firstMetric + from;
  to["names"] = std::move(names);
  to["metrics"] = std::move(metrics);
}

Json snapshotJson(const Snapshot& now, std::size_t from) {
  Json json{{"state", static_cast<int>(now.state)},
            {"step", now.step},
            {"steps", now.steps},
            {"loss", orNone(now.loss)},
            {"rate", orNone(now.rate)},
            {"gradient_norm", orNone(now.gradientNorm)},
            {"validation", orNone(now.validation)},
            {"validation_error", orNone(now.validationError)},
            {"seconds_per_step", orNone(now.secondsPerStep)},
            {"saved", now.savedStep},
            {"stored", now.storedStep},
            {"sentence", now.sentence},
            {"notice", now.notice},
            {"parameters", now.parameters}};
  if (now.secondsLeft) json["seconds_left"] = orNone(*now.secondsLeft);
  if (now.prepared) json["prepared"] = orNone(*now.prepared);
  Json bounds = Json::array(), matrices = Json::array();
  for (const data::Bound& bound : now.bounds)
    bounds.push_back(Json::array({bound.name, orNone(bound.value)}));
  for (const MatrixSnapshot& matrix : now.matrices)
    matrices.push_back(matrixJson(matrix));
  json["bounds"] = std::move(bounds);
  json["matrices"] = std::move(matrices);
  addMetrics(now, from, json);
  return json;
}

std::optional<std::vector<double>> numbersFrom(const Json* json, std::size_t most) {
  if (!json || !json->is_array() || json->size() > most) return std::nullopt;
  std::vector<double> values;
  for (const Json& one : *json) {
    if (!one.is_number() && !one.is_null()) return std::nullopt;
    values.push_back(one.is_null() ? std::nan("") : one.get<double>());
  }
  return values;
}

std::optional<MatrixSnapshot> matrixFrom(const Json& json, std::size_t& room) {
  MessageReader reader(json);
  MatrixSnapshot matrix;
  matrix.parameter = reader.text("parameter");
  matrix.rows = static_cast<int>(reader.count("rows", kMostPlace));
  matrix.columns = static_cast<int>(reader.count("columns", kMostPlace));
  const std::string text = reader.text("values");
  const std::size_t numbers = static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns);
  if (!reader.wrong().empty() || matrix.parameter.size() > kMostText || numbers > room) return std::nullopt;
  const auto bytes = tokenizer::fromBase64(text);
  if (!bytes || bytes->size() != numbers * sizeof(float)) return std::nullopt;
  room -= numbers;
  matrix.values.resize(numbers);
  if (numbers > 0) std::memcpy(matrix.values.data(), bytes->data(), bytes->size());
  auto singular = numbersFrom(reader.optional("singular"), kMostPlace),
       left = numbersFrom(reader.optional("left"), kMostPlace),
       right = numbersFrom(reader.optional("right"), kMostPlace);
  if (!singular || !left || !right) return std::nullopt;
  matrix.singular = std::move(*singular);
  matrix.left = std::move(*left);
  matrix.right = std::move(*right);
  return matrix;
}

bool readMatrices(const MessageReader& reader, Snapshot& now) {
  const Json* const matrices = reader.optional("matrices");
  if (!matrices || !matrices->is_array() || matrices->size() > kMostMatrices) return false;
  std::size_t room = ui::kMostLiveNumbers;
  for (const Json& one : *matrices) {
    auto matrix = matrixFrom(one, room);
    if (!matrix) return false;
    now.matrices.push_back(std::move(*matrix));
  }
  return true;
}

bool readBounds(const MessageReader& reader, Snapshot& now) {
  const Json* const bounds = reader.optional("bounds");
  if (!bounds || !bounds->is_array() || bounds->size() > kMostBounds) return false;
  for (const Json& one : *bounds) {
    if (!one.is_array() || one.size() != 2 || !one[0].is_string() || !(one[1].is_number() || one[1].is_null()))
      return false;
    now.bounds.push_back({one[0].get<std::string>(), one[1].is_null() ? std::nan("") : one[1].get<double>()});
  }
  return true;
}

std::optional<Metric> metricFrom(const Json& json, const std::vector<std::int32_t>& names) {
  if (!json.is_array() || json.size() != 5 || !json[0].is_number_unsigned()) return std::nullopt;
  const auto name = json[0].get<std::size_t>();
  for (const std::size_t i : {1, 2, 3})
    if (!json[i].is_number_integer()) return std::nullopt;
  const auto layer = json[1].get<std::int64_t>(), head = json[2].get<std::int64_t>(),
             step = json[3].get<std::int64_t>();
  if (name >= names.size() || layer < -1 || layer > kMostPlace || head < -1 || head > kMostPlace || step < 0 ||
      step > kMostSteps || !(json[4].is_number() || json[4].is_null()))
    return std::nullopt;
  return Metric{step, names[name], static_cast<std::int32_t>(layer), static_cast<std::int32_t>(head),
                json[4].is_null() ? std::nan("") : json[4].get<double>()};
}

bool readMetrics(const MessageReader& reader, Snapshot& now) {
  const Json *const names = reader.optional("names"), *const metrics = reader.optional("metrics");
  if (!names || !names->is_array() || names->size() > kMostLiveNames) return false;
  if (!metrics || !metrics->is_array() || metrics->size() > Snapshot::kMetrics) return false;
  std::vector<std::int32_t> ids;
  for (const Json& name : *names) {
    if (!name.is_string() || name.get_ref<const std::string&>().size() > kMostText) return false;
    ids.push_back(train::metricId(name.get_ref<const std::string&>()));
  }
  for (const Json& one : *metrics) {
    const auto metric = metricFrom(one, ids);
    if (!metric) return false;
    now.metrics.push_back(*metric);
  }
  return true;
}

std::optional<Snapshot> snapshotFrom(const Json& json) {
  MessageReader reader(json);
  Snapshot now;
  now.state = static_cast<train::RunState>(reader.count("state", kRunStates - 1));
  now.step = reader.integer("step");
  now.steps = reader.integer("steps");
  now.loss = reader.realOrNone("loss");
  now.rate = reader.realOrNone("rate");
  now.gradientNorm = reader.realOrNone("gradient_norm");
  now.validation = reader.realOrNone("validation");
  now.validationError = reader.realOrNone("validation_error");
  now.secondsPerStep = reader.realOrNone("seconds_per_step");
  if (reader.optional("seconds_left")) now.secondsLeft = reader.realOrNone("seconds_left");
  if (reader.optional("prepared")) now.prepared = reader.realOrNone("prepared");
  now.savedStep = reader.integer("saved");
  now.storedStep = reader.integer("stored");
  now.sentence = reader.text("sentence");
  now.notice = reader.text("notice");
  now.parameters = reader.integer("parameters");
  now.firstMetric = reader.count("first");
  const bool steps = now.step >= 0 && now.step <= kMostSteps && now.steps >= 0 && now.steps <= kMostSteps &&
                     now.savedStep <= kMostSteps && now.storedStep <= kMostSteps;
  if (!reader.wrong().empty() || !steps || now.sentence.size() > kMostText || now.notice.size() > kMostText)
    return std::nullopt;
  if (!readBounds(reader, now) || !readMatrices(reader, now) || !readMetrics(reader, now)) return std::nullopt;
  return now;
}

const ui::LiveRun* knownAs(const std::vector<ui::LiveRun>& all, const LiveUpdate& news) {
  const auto found = std::ranges::find_if(
      all, [&](const ui::LiveRun& one) { return one.folder == news.folder && one.trainer == news.trainer; });
  return found == all.end() ? nullptr : &*found;
}

/// `now` with the metrics that were known before it, in total at most as many as a snapshot can hold.
std::shared_ptr<const Snapshot> withKnown(const Snapshot& now, const ui::LiveRun* known) {
  auto made = std::make_shared<Snapshot>(now);
  if (!known) return made;
  const Snapshot& before = *known->now;
  if (before.firstMetric + before.metrics.size() != now.firstMetric)
    return made;  // some in between are missing: the run store has them
  const std::size_t kept = Snapshot::kMetrics - std::min(Snapshot::kMetrics, now.metrics.size());
  const std::size_t first = before.metrics.size() - std::min(kept, before.metrics.size());
  made->metrics.insert(made->metrics.begin(), before.metrics.begin() + static_cast<std::ptrdiff_t>(first),
                       before.metrics.end());
  made->firstMetric = before.firstMetric + first;
  return made;
}

}  // namespace

Json toJson(const LiveUpdate& news) {
  Json json{{"folder", news.folder}, {"trainer", news.trainer}};
  if (news.now) json["now"] = snapshotJson(*news.now, news.from);
  return json;
}

std::optional<LiveUpdate> liveFromJson(const Json& json) {
  MessageReader reader(json);
  LiveUpdate news;
  news.folder = reader.text("folder");
  news.trainer = reader.count("trainer");
  if (!reader.wrong().empty() || news.folder.size() > kMostText || !news.folder.starts_with('/')) return std::nullopt;
  const Json* const now = reader.optional("now");
  if (!now) return news;
  auto snapshot = snapshotFrom(*now);
  if (!snapshot) return std::nullopt;
  news.now = std::make_shared<const Snapshot>(std::move(*snapshot));
  return news;
}

std::vector<LiveUpdate> LiveSender::news(const std::vector<ui::LiveRun>& live) const {
  std::vector<LiveUpdate> all;
  for (const ui::LiveRun& one : live) {
    LiveUpdate& news = all.emplace_back(LiveUpdate{one.folder, one.trainer, one.now, 0});
    const ui::LiveRun* const before = knownAs(sent_, news);
    if (!before) continue;
    if (before->now == one.now) {
      news.now.reset();
      continue;
    }
    const std::uint64_t end = before->now->firstMetric + before->now->metrics.size();
    const std::uint64_t gone = end - std::min(end, one.now->firstMetric);
    news.from = std::min<std::size_t>(gone, one.now->metrics.size());
  }
  return all;
}

std::optional<std::vector<ui::LiveRun>> LiveReceiver::take(const std::vector<LiveUpdate>& news) {
  std::vector<ui::LiveRun> all;
  for (const LiveUpdate& one : news) {
    const ui::LiveRun* const before = knownAs(known_, one);
    if (!one.now && !before) return std::nullopt;
    all.push_back({one.folder, one.trainer, one.now ? withKnown(*one.now, before) : before->now});
  }
  known_ = all;
  return all;
}

}  // namespace sepx::app
