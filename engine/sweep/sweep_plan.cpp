// SPDX-License-Identifier: Apache-2.0
// See sweep_plan.h.
#include "engine/sweep/sweep_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/nearest_name.h"
#include "engine/core/random.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/config_fields.h"
#include "engine/train/step.h"
#include "engine/train/step_check.h"

namespace sepx::sweep {

namespace {

using Json = nlohmann::ordered_json;
using train::ConfigField;

constexpr std::size_t kMostValues = 100'000, kMostSamples = 100'000;
constexpr std::size_t kQuoted = 120;  // bytes of a field's path in a message
// Limits, because every run has a config of its own, so that a short plan could take any memory and time. An ordinary
// config has 2 to 3 kB.
constexpr std::size_t kMostConfigBytes = std::size_t{512} << 20;  // of all configs together
constexpr std::size_t kLongestText = 10'000;                      // bytes of the name and of the note
constexpr std::size_t kMostNames = 1000;                          // of frozen and of watched parameters
constexpr std::size_t kMostComparisons = 1'000'000'000;           // comparisons of parameter names, for all runs
constexpr const char* kSeed = "seed";

/// The values of one field: a list, or a range to draw from.
struct Axis {
  ConfigField field;
  std::vector<Json> values;
  double low = 0, high = 0;
  bool drawn = false, logarithmic = false;
};

class Parser {
 public:
  Parser(const std::string& file, const ConfigFinder& find)
      : file_(file), find_(find), fields_(train::configFields()) {}

  Result<Sweep> parse(std::string_view text) {
    const Result<Json> read = parseJson<Json>(text);
    if (!read) return fail(ErrorKind::BadInput, fmt::format("{}: {}", file_, read.error().message));
    const Json& plan = *read;
    if (!plan.is_object()) return refuse("", "must be an object; docs/cluster.md shows a plan");
    SEPX_TRY(known(plan, "", {"schema", "config", "grid", "random", "seeds"}));
    if (plan.value("schema", Json()) != "sepx.sweep/1") return refuse("schema", "must be \"sepx.sweep/1\"");
    if (!plan.contains("config")) return refuse("config", "is missing: a name, a path or a config");
    SEPX_TRY(readBase(plan["config"]));
    if (plan.contains("grid") && plan.contains("random"))
      return refuse("random", "a plan has a grid or a random search; remove one of them");
    if (plan.contains("grid")) SEPX_TRY(readGrid(plan["grid"]));
    if (plan.contains("random")) SEPX_TRY(readRandom(plan["random"]));
    SEPX_TRY(readSeeds(plan.value("seeds", Json())));
    return expand();
  }

 private:
  tl::unexpected<Error> refuse(const std::string& place, const std::string& what) const {
    const std::string at = excerpt(place, kQuoted);  // it may be a name from the file
    return fail(ErrorKind::BadInput,
                at.empty() ? fmt::format("{}: {}", file_, what) : fmt::format("{}: {}: {}", file_, at, what));
  }
  Result<void> known(const Json& object, const std::string& place, const std::vector<std::string>& names) const {
    for (const auto& [name, value] : object.items()) {
      if (std::ranges::find(names, name) != names.end()) continue;
      const std::string nearest = nearestName(name, names);
      return refuse(place + name,
                    "there is no such field" +
                        (nearest.empty() ? std::string() : fmt::format("; the nearest is \"{}\"", nearest)));
    }
    return {};
  }

  Result<void> readBase(const Json& config) {
    if (config.is_object()) {
      base_ = {config.dump(), file_ + ": config", folderOf(file_)};
    } else if (config.is_string()) {
      SEPX_ASSIGN(base_, find_(config.get<std::string>()));
    } else {
      return refuse("config", "must be a name, a path or a config");
    }
    SEPX_ASSIGN(config_, train::parseRunConfig(base_.text, base_.file, base_.folder));
    json_ = train::toJson(config_);
    if (config_.name.size() > kLongestText || config_.note.size() > kLongestText)
      return refuse("config", fmt::format("its name and its note may have at most {} bytes each", kLongestText));
    return {};
  }
  static std::string folderOf(const std::string& path) {
    const std::size_t at = path.find_last_of('/');
    return at == std::string::npos ? std::string(".") : path.substr(0, std::max<std::size_t>(at, 1));
  }

  Result<ConfigField> fieldNamed(const std::string& name, const std::string& place) const {
    const auto found = std::ranges::find(fields_, name, &ConfigField::place);
    if (found != fields_.end() && name != kSeed && name != "name" && name != "note") return *found;
    if (name == kSeed) return refuse(place, "seeds are swept by \"seeds\"");
    std::vector<std::string> names;
    for (const ConfigField& field : fields_)
      names.push_back(field.place);
    const std::string nearest = nearestName(name, names);
    return refuse(place, "a config has no such field that can be swept" +
                             (nearest.empty() ? std::string() : fmt::format("; the nearest is \"{}\"", nearest)));
  }

  Result<Axis> readValues(const std::string& name, const Json& values, const std::string& place) const {
    Axis axis;
    SEPX_ASSIGN(axis.field, fieldNamed(name, place));
    if (!values.is_array() || values.empty() || values.size() > kMostValues)
      return refuse(place, "must be a list of one value or more");
    const bool lists = axis.field.kind == train::FieldKind::Texts || axis.field.kind == train::FieldKind::Numbers;
    if (lists && !std::ranges::all_of(values, [](const Json& value) { return value.is_array(); }))
      return refuse(place, "each value of this field is a list, so that the values are a list of lists: [[], [...]]");
    axis.values.assign(values.begin(), values.end());
    return axis;
  }

  Result<void> readGrid(const Json& grid) {
    if (!grid.is_object() || grid.empty())
      return refuse("grid", "is empty; name a field with the values that it takes");
    for (const auto& [name, values] : grid.items()) {
      SEPX_ASSIGN(Axis axis, readValues(name, values, "grid." + name));
      axes_.push_back(std::move(axis));
    }
    return {};
  }

  Result<void> readRandom(const Json& random) {
    if (!random.is_object()) return refuse("random", "must be an object with samples and ranges");
    SEPX_TRY(known(random, "random.", {"samples", "seed", "ranges"}));
    const Json samples = random.value("samples", Json()), seed = random.value("seed", Json(0U));
    if (!samples.is_number_unsigned() || samples.get<std::uint64_t>() < 1 ||
        samples.get<std::uint64_t>() > kMostSamples)
      return refuse("random.samples", fmt::format("must be a whole number from 1 to {}", kMostSamples));
    if (!seed.is_number_unsigned()) return refuse("random.seed", "must be a whole number from 0");
    samples_ = samples.get<std::size_t>();
    drawSeed_ = seed.get<std::uint64_t>();
    const Json ranges = random.value("ranges", Json());
    if (!ranges.is_object() || ranges.empty())
      return refuse("random.ranges", "is empty; name a field with what it is drawn from");
    for (const auto& [name, range] : ranges.items()) {
      const std::string place = "random.ranges." + name;
      if (range.is_array()) {
        SEPX_ASSIGN(Axis axis, readValues(name, range, place));
        axes_.push_back(std::move(axis));
        continue;
      }
      SEPX_ASSIGN(Axis axis, readRange(name, range, place));
      axes_.push_back(std::move(axis));
    }
    return {};
  }

  Result<Axis> readRange(const std::string& name, const Json& range, const std::string& place) const {
    Axis axis;
    SEPX_ASSIGN(axis.field, fieldNamed(name, place));
    if (!range.is_object()) return refuse(place, "must be {\"low\", \"high\", \"log\"} or a list of values");
    SEPX_TRY(known(range, place + ".", {"low", "high", "log"}));
    if (axis.field.kind != train::FieldKind::Whole && axis.field.kind != train::FieldKind::Real)
      return refuse(place, "is not a number; give a list of values");
    const Json low = range.value("low", Json()), high = range.value("high", Json()),
               log = range.value("log", Json(false));
    if (!low.is_number() || !high.is_number() || !log.is_boolean())
      return refuse(place, "needs numbers low and high; log is true or false");
    axis.low = low.get<double>();
    axis.high = high.get<double>();
    axis.logarithmic = log.get<bool>();
    axis.drawn = true;
    if (!(axis.low < axis.high)) return refuse(place, "low must lie below high");
    if (axis.logarithmic && axis.low <= 0) return refuse(place, "a logarithmic range begins above 0");
    return axis;
  }

  Result<void> readSeeds(const Json& seeds) {
    if (seeds.is_null()) {
      seeds_ = {config_.seed};
      return {};
    }
    if (!seeds.is_array() || seeds.empty()) return refuse("seeds", "must be a list of one seed or more");
    if (seeds.size() > kMostRuns) return tooManyRuns(seeds.size());
    std::set<std::uint64_t> known;
    for (const Json& seed : seeds) {
      if (!seed.is_number_unsigned()) return refuse("seeds", "seeds are whole numbers from 0");
      if (!known.insert(seed.get<std::uint64_t>()).second)
        return refuse("seeds", fmt::format("has {} twice", seed.get<std::uint64_t>()));
      seeds_.push_back(seed.get<std::uint64_t>());
    }
    return {};
  }

  tl::unexpected<Error> tooManyRuns(std::size_t runs) const {
    return refuse("seeds", fmt::format("give {} runs; at most {} are allowed", runs, kMostRuns));
  }

  /// Number of samples of the grid or the random search.
  Result<std::size_t> samples() const {
    if (samples_ > 0) return samples_;
    std::size_t count = 1;
    for (const Axis& axis : axes_) {
      count *= axis.values.size();
      if (count > kMostRuns) return refuse("grid", fmt::format("gives more than {} runs; use fewer values", kMostRuns));
    }
    return count;
  }
  /// The values of sample `i`, without the seed.
  std::vector<Json> sample(std::size_t i) const {
    if (samples_ > 0) return drawn(i);
    std::vector<Json> values(axes_.size());
    for (std::size_t a = axes_.size(); a-- > 0; i /= axes_[a].values.size())  // the last field varies fastest
      values[a] = axes_[a].values[i % axes_[a].values.size()];
    return values;
  }
  /// One random stream per sample, so that more samples leave the first ones unchanged.
  std::vector<Json> drawn(std::size_t sample) const {
    RandomStream random(drawSeed_, sample);
    std::vector<Json> values;
    for (const Axis& axis : axes_) {
      if (!axis.drawn) {
        values.push_back(axis.values[random.below(axis.values.size())]);
        continue;
      }
      double value = axis.logarithmic ? std::exp(random.uniform(std::log(axis.low), std::log(axis.high)))
                                      : random.uniform(axis.low, axis.high);
      if (axis.field.kind == train::FieldKind::Whole)
        values.emplace_back(static_cast<std::int64_t>(std::llround(value)));
      else
        values.emplace_back(value);
    }
    return values;
  }

  Result<Sweep> expand() {
    Sweep sweep;
    sweep.name = config_.name;
    for (const Axis& axis : axes_)
      sweep.fields.push_back(axis.field.place);
    sweep.fields.emplace_back(kSeed);
    SEPX_ASSIGN(const std::size_t count, samples());
    if (count * seeds_.size() > kMostRuns) return tooManyRuns(count * seeds_.size());
    SEPX_TRY(takeBytes(count * seeds_.size() * textOf(json_).size()));
    bytes_ = 0;  // each run is counted as it is made
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<Json> values = sample(i);
      for (const std::uint64_t seed : seeds_) {
        SEPX_ASSIGN(SweepRun run, made(values, seed));
        run.name = fmt::format("{:04}", sweep.runs.size());
        sweep.runs.push_back(std::move(run));
      }
    }
    return sweep;
  }

  Result<void> takeBytes(std::size_t more) {
    bytes_ += more;
    if (bytes_ <= kMostConfigBytes) return {};
    return refuse("", fmt::format("the configs of its runs have more than {} bytes together; shorten their texts and "
                                  "lists, or use fewer runs",
                                  kMostConfigBytes));
  }

  /// A path may contain bytes that are not UTF-8; they are replaced.
  static std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

  Result<SweepRun> made(const std::vector<Json>& values, std::uint64_t seed) {
    Json json = json_;
    std::string name = config_.name;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const std::string& place = axes_[a].field.place;
      json[Json::json_pointer("/" + slashed(place))] = values[a];
      name += fmt::format(", {} {}", place.substr(place.find_last_of('.') + 1),
                          values[a].is_string() ? values[a].get<std::string>() : values[a].dump());
    }
    // As with sepx train --seed, except for data whose seeds the plan sweeps itself.
    if (config_.data.seed == config_.seed && !sweeps("data.seed")) json["data"]["seed"] = seed;
    json[kSeed] = seed;
    json["name"] = seeds_.size() > 1 ? fmt::format("{}, seed {}", name, seed) : name;
    SweepRun run;
    const std::string text = textOf(json);
    SEPX_TRY(takeBytes(text.size()));
    SEPX_ASSIGN(run.config, train::parseRunConfig(text, file_, base_.folder));
    if (!sweeps("data.path")) run.config.data.path = config_.data.path;  // with its exact bytes
    if (const auto fine = train::check(run.config); !fine) return refuse("", fine.error().message);
    SEPX_TRY(checkNames(run.config));
    run.values = values;
    run.values.emplace_back(seed);
    return run;
  }
  bool sweeps(std::string_view place) const {
    return std::ranges::any_of(axes_, [place](const Axis& axis) { return axis.field.place == place; });
  }
  /// Checks the names of parameters, which train::check() does not. A run with the model and the names of the last one
  /// is not checked again.
  Result<void> checkNames(const train::RunConfig& config) {
    const std::vector<std::string>&frozen = config.optimisation.frozen, &watch = config.schedule.watch;
    if (frozen.empty() && watch.empty()) return {};
    const auto known = [&](const train::RunConfig& before) {
      return before.model == config.model && before.optimisation.frozen == frozen && before.schedule.watch == watch;
    };
    if (named_ && known(*named_)) return {};
    for (const auto& [place, names] : {std::pair("optimisation.frozen", &frozen), std::pair("schedule.watch", &watch)})
      if (names->size() > kMostNames || std::set(names->begin(), names->end()).size() < names->size())
        return refuse(place, fmt::format("must name at most {} parameters, each once", kMostNames));
    nn::ModelConfig model = config.model;
    if (model.vocabulary == 0) model.vocabulary = 2;  // any size: no name depends on it
    const nn::ParameterLayout layout(model);
    comparisons_ += layout.all().size() * (frozen.size() + watch.size());
    if (comparisons_ > kMostComparisons)
      return refuse("optimisation.frozen",
                    "with so many models and names of parameters the plan takes too long to "
                    "read; take fewer");
    if (const auto fine = train::checkFrozen(config, layout); !fine) return refuse("", fine.error().message);
    if (const auto fine = train::checkWatch(config, layout); !fine) return refuse("", fine.error().message);
    named_ = config;
    return {};
  }
  static std::string slashed(std::string place) {
    std::ranges::replace(place, '.', '/');
    return place;
  }

  const std::string& file_;
  const ConfigFinder& find_;
  const std::vector<ConfigField> fields_;
  NamedConfig base_;
  train::RunConfig config_;
  Json json_;
  std::vector<Axis> axes_;
  std::vector<std::uint64_t> seeds_;
  std::size_t samples_ = 0;  ///< of a random search
  std::uint64_t drawSeed_ = 0;
  std::size_t bytes_ = 0, comparisons_ = 0;  ///< so far, against kMostConfigBytes and kMostComparisons
  std::optional<train::RunConfig> named_;    ///< the config whose names of parameters were checked last
};

}  // namespace

Result<Sweep> parseSweep(std::string_view text, const std::string& file, const ConfigFinder& find) {
  return Parser(file, find).parse(text);
}

}  // namespace sepx::sweep
