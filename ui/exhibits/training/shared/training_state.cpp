// SPDX-License-Identifier: Apache-2.0
// Reads TrainingState from the document. Pure.
#include "ui/exhibits/training/shared/training_state.h"

#include <algorithm>

namespace sepx::ui {

const char* wordOf(TrainingMetric metric) {
  static constexpr const char* kWords[kTrainingMetrics] = {
      "loss", "symmetry", "directionality", "row_column_cv", "gradient_norm", "rate", "constraint", "sigma_ratio"};
  return kWords[static_cast<std::size_t>(metric)];
}

TrainingState readTrainingState(const Document& document, const PropertyRegistry& registry) {
  TrainingState state;
  const auto real = [&](const char* key) { return registry.real(document, key); };
  const auto whole = [&](const char* key) { return static_cast<std::int64_t>(std::clamp(real(key), -1.0, 1e15)); };
  state.experiment = registry.text(document, "training.experiment");
  for (const Json& run : document.list("training.runs")) {
    const auto folder = run.find("folder");
    state.folders.push_back(folder != run.end() && folder->is_string() ? folder->get<std::string>() : std::string());
  }
  state.step = whole("training.step");
  state.layer = static_cast<int>(std::clamp(real("training.layer"), 0.0, 1e6));
  state.head = static_cast<int>(std::clamp(real("training.head"), -1.0, 1e6));
  for (std::size_t i = 0; i < kTrainingMetrics; ++i)
    state.metrics[i] =
        registry.toggle(document, std::string("training.show.") + wordOf(static_cast<TrainingMetric>(i)));
  state.validation = registry.toggle(document, "training.show.validation");
  state.bounds = registry.toggle(document, "training.show.bounds");
  state.raw = registry.toggle(document, "training.show.raw");
  state.smooth = real("training.smooth");
  state.logX = registry.toggle(document, "training.log.steps");
  state.logY = registry.toggle(document, "training.log.values");
  const std::string scale = registry.text(document, "training.colors.scale");
  state.scale = scale == "shared"  ? TrainingScale::Shared
                : scale == "fixed" ? TrainingScale::Fixed
                                   : TrainingScale::Own;
  state.colorLimit = real("training.colors.limit");
  const std::string layers = registry.text(document, "training.layers");
  state.layers = layers == "lines"       ? LayersShown::Lines
                 : layers == "quartiles" ? LayersShown::Quartiles
                                         : LayersShown::Both;
  state.rate = real("training.rate");
  state.run = static_cast<int>(std::clamp(real("training.run"), -1.0, 15.0));
  state.compareRun = static_cast<int>(std::clamp(real("training.compare.run"), 0.0, 15.0));
  state.compareStep = std::max<std::int64_t>(0, whole("training.compare.step"));
  state.stepsPerFrame = std::max<std::int64_t>(1, whole("training.steps_per_frame"));
  return state;
}

Document withRuns(const Document& document, const std::vector<std::string>& folders) {
  Json list = Json::array();
  for (const std::string& folder : folders)
    list.push_back({{"folder", folder}});
  Document next = document.with("training.runs", std::move(list));
  return next.has("training.step") ? next.without("training.step") : next;
}

}  // namespace sepx::ui
