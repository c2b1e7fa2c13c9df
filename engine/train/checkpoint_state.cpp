// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_state.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::train {

namespace {

constexpr const char* kVersion = "1";

struct Part {
  const char* name;
  std::vector<float> TrainState::*values;
};
constexpr std::array<Part, 4> kParts{{{"theta", &TrainState::theta},
                                      {"first", &TrainState::first},
                                      {"second", &TrainState::second},
                                      {"average", &TrainState::average}}};

tl::unexpected<Error> unusable(const std::string& path, const std::string& why) {
  return fail(ErrorKind::BadInput, fmt::format("{}: {}; use an earlier checkpoint", path, why));
}

/// Parses a number that must fill the whole text; false for anything else.
template <class Number>
bool exactly(const std::map<std::string, std::string>& metadata, const char* key, Number& out) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return false;
  const char* const end = found->second.data() + found->second.size();
  const auto [at, error] = std::from_chars(found->second.data(), end, out);
  return error == std::errc() && at == end;
}

void addCounters(Checksum& sum, const TrainState& state) {
  for (const std::uint64_t word :
       {static_cast<std::uint64_t>(state.step), static_cast<std::uint64_t>(state.optimiserSteps), state.sequence,
        std::bit_cast<std::uint64_t>(state.rateFactor)})
    sum.add(word);
}

class StateReader {
 public:
  StateReader(const std::string& path, const checkpoint::Contents& contents) : path_(path), contents_(contents) {
    for (const checkpoint::TensorInfo& tensor : contents.tensors)
      byName_.emplace(tensor.name, &tensor);
  }

  Result<TrainState> read(const nn::ParameterLayout& layout) {
    TrainState state;
    const auto& metadata = contents_.metadata;
    const auto version = metadata.find("separatrix_state");
    if (version == metadata.end()) return unusable(path_, "is not a saved state of a run");
    if (version->second != kVersion)
      return unusable(path_, fmt::format("was written by a newer program (state format {}, this one reads {})",
                                         inQuotes(version->second), kVersion));
    if (!exactly(metadata, "step", state.step) || !exactly(metadata, "optimiser_steps", state.optimiserSteps) ||
        !exactly(metadata, "sequence", state.sequence) || !exactly(metadata, "rate_factor", state.rateFactor) ||
        state.step < 0 || state.optimiserSteps < 0 || !(state.rateFactor >= 0))
      return unusable(path_, "is damaged: step, optimiser_steps, sequence or rate_factor is missing or no number");
    std::size_t used = 0;
    for (const Part& part : kParts) {
      const bool wanted = part.values == &TrainState::theta || has(part, layout);
      if (!wanted) continue;
      SEPX_TRY(readPart(part, layout, state.*part.values));
      used += layout.all().size();
    }
    if (used != contents_.tensors.size())
      return unusable(
          path_, fmt::format("holds {} tensors, but only {} belong to this model", contents_.tensors.size(), used));
    SEPX_TRY(contents_.files.front()->checkNotTruncated());
    addCounters(sum_, state);
    const auto checksum = metadata.find("checksum");
    if (checksum == metadata.end() || checksum->second != sum_.text())
      return unusable(path_, "is damaged: its values do not have the checksum that they were written with");
    return state;
  }

 private:
  bool has(const Part& part, const nn::ParameterLayout& layout) const {
    return !layout.all().empty() && byName_.count(fmt::format("{}.{}", part.name, layout.all().front().name)) != 0;
  }

  Result<void> readPart(const Part& part, const nn::ParameterLayout& layout, std::vector<float>& out) {
    // Checked before allocating: a config may claim a model of terabytes next to a file of a few bytes.
    const std::size_t there = contents_.files.front()->bytes().size() / sizeof(float);
    if (layout.size() > there)
      return unusable(path_,
                      fmt::format("belongs to another model: this one has {} parameters, but the file has room for {}",
                                  layout.size(), there));
    out.resize(layout.size());
    for (const nn::Parameter& parameter : layout.all()) {
      const std::string name = fmt::format("{}.{}", part.name, parameter.name);
      const auto found = byName_.find(name);
      if (found == byName_.end())
        return unusable(path_, fmt::format("has no tensor {}, so it belongs to another model", inQuotes(name)));
      const checkpoint::TensorInfo& tensor = *found->second;
      const std::vector<std::int64_t> shape{parameter.rows, parameter.columns};
      if (tensor.dtype != checkpoint::Dtype::F32 || tensor.shape != shape)
        return unusable(
            path_, fmt::format("belongs to another model: {} is {} [{}], but the model needs F32 [{}]", inQuotes(name),
                               tensor.dtypeName, fmt::join(tensor.shape, ", "), fmt::join(shape, ", ")));
      const std::span<float> values(out.data() + parameter.offset, parameter.size());
      std::memcpy(values.data(), contents_.files.front()->bytes().data() + tensor.offset, values.size_bytes());
      sum_.add(values);
    }
    return {};
  }

  const std::string& path_;
  const checkpoint::Contents& contents_;
  std::unordered_map<std::string, const checkpoint::TensorInfo*> byName_;
  Checksum sum_;
};

}  // namespace

void Checksum::add(std::span<const float> values) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  constexpr int kTurn = 29;
  constexpr std::size_t kLanes = 4;
  const auto mix = [](std::uint64_t lane, std::uint64_t word) { return std::rotl(lane ^ word, kTurn) * kOdd; };
  std::size_t at = 0;
  for (; at + 2 * kLanes <= values.size(); at += 2 * kLanes) {
    std::uint64_t words[kLanes];
    std::memcpy(words, values.data() + at, sizeof words);
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes_[lane] = mix(lanes_[lane], words[lane]);
  }
  for (; at < values.size(); ++at)
    lanes_[at % kLanes] = mix(lanes_[at % kLanes], std::bit_cast<std::uint32_t>(values[at]));
}

void Checksum::add(std::uint64_t word) {
  const float halves[2] = {std::bit_cast<float>(static_cast<std::uint32_t>(word)),
                           std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32))};
  add(std::span<const float>(halves));
}

std::string Checksum::text() const {
  std::uint64_t all = 0;
  for (const std::uint64_t lane : lanes_)
    all = std::rotl(all, 17) * 0xbf58476d1ce4e5b9u + (lane ^ lane >> 32);
  return fmt::format("{:016x}", all);
}

Result<void> writeState(const PieceSink& sink, const nn::ParameterLayout& layout, const TrainState& state) {
  std::vector<ExportedTensor> tensors;
  Checksum sum;
  for (const Part& part : kParts) {
    const std::vector<float>& values = state.*part.values;
    if (values.empty() && part.values != &TrainState::theta) continue;
    if (values.size() != layout.size())
      return fail(ErrorKind::Internal,
                  fmt::format("{} has {} values, and the model has {}", part.name, values.size(), layout.size()));
    for (const nn::Parameter& parameter : layout.all()) {
      ExportedTensor& tensor = tensors.emplace_back();
      tensor.name = fmt::format("{}.{}", part.name, parameter.name);
      tensor.shape = {parameter.rows, parameter.columns};
      tensor.values = std::span<const float>(values).subspan(parameter.offset, parameter.size());
      sum.add(tensor.values);
    }
  }
  addCounters(sum, state);
  // The shortest text of a double reads back to the same double.
  return streamSafetensors(sink, tensors,
                           {{"separatrix_state", kVersion},
                            {"step", std::to_string(state.step)},
                            {"optimiser_steps", std::to_string(state.optimiserSteps)},
                            {"sequence", std::to_string(state.sequence)},
                            {"rate_factor", fmt::format("{}", state.rateFactor)},
                            {"checksum", sum.text()}});
}

Result<TrainState> readState(const std::string& path, const nn::ParameterLayout& layout) {
  SEPX_ASSIGN(auto file, checkpoint::MappedFile::open(path));
  SEPX_ASSIGN(const auto contents, checkpoint::readSafetensors(std::move(file)));
  return StateReader(path, contents).read(layout);
}

}  // namespace sepx::train
