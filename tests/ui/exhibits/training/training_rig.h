// SPDX-License-Identifier: Apache-2.0
// A Training exhibit with a run service in a folder of its own. The configs have the names of the shipped ones, but are
// so small that a run takes only a moment.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/folders.h"
#include "tests/ui/page/runs_exhibit_rig.h"
#include "ui/exhibits/training/shared/experiments.h"
#include "ui/exhibits/training/training_exhibit.h"

namespace sepx::ui {

/// Writes configs with tiny models, short texts and few steps into `folder`.
inline void writeTinyConfigs(const std::filesystem::path& folder, int steps) {
  std::filesystem::create_directories(folder / "configs");
  for (const Experiment& experiment : experiments()) {
    for (const char* const name : experiment.configs) {
      std::ifstream from(tests::sourceFolder() + "/assets/configs/" + name + ".json");
      nlohmann::ordered_json config = nlohmann::ordered_json::parse(from);
      if (config["data"]["kind"] != "shapes") config["model"]["length"] = 16;  // images: number of patches
      if (config["data"]["kind"] == "english") {
        config["model"]["d_model"] = 16;
        config["model"]["d_ff"] = 32;
        config["data"]["sentences"] = 300;
      }
      config["schedule"].update({{"steps", steps},
                                 {"batch", 4},
                                 {"evaluate_every", config["data"]["kind"] == "shapes" ? 5 : 10},
                                 {"evaluate_sequences", 8},
                                 {"scores_every", 5},
                                 {"save_every", 10},
                                 {"save_seconds", 0}});
      if (config["schedule"].contains("spectra_every")) config["schedule"]["spectra_every"] = 5;
      std::ofstream(folder / "configs" / (std::string(name) + ".json")) << config.dump(2);
    }
  }
}

class TrainingRig : public RunsExhibitRig {
 public:
  explicit TrainingRig(int steps = 40) : RunsExhibitRig(makeTrainingExhibit()) { writeTinyConfigs(own.path, steps); }

  ExhibitContext context() override {
    ExhibitContext made = RunsExhibitRig::context();
    made.assets = own.path.string();
    return made;
  }
  /// Runs frames until the first run has made this many steps or has ended.
  void train(std::int64_t steps) {
    for (int i = 0; i < 500; ++i) {
      jobs.finish();
      frame();
      if (number("training.newest.step") >= static_cast<double>(steps) && number("training.runs.count") > 0) break;
    }
    if (text("training.runs[0].state") != "running") settle();  // each frame of a running run trains
  }
  /// Starts the experiment and trains it for this many steps.
  void start(const std::string& experiment, std::int64_t steps) {
    set("training.experiment", experiment);
    frame();
    if (const Result<void> done = run("training.start"); !done) throw std::runtime_error(done.error().message);
    train(steps);
  }
  /// Items of all views of the visible page whose names begin with `prefix`: "form" for W_qk of every run.
  template <class T>
  std::vector<T> inViews(const std::string& prefix = {}) const {
    std::vector<T> all;
    const std::string begin = "training." + text("training.page") + "." + prefix;
    for (const render::Layer& one : scene->layers)
      if (one.name.starts_with(begin))
        for (const T& item : items<T>(one.name))
          all.push_back(item);
    return all;
  }
  /// Their labels, one per line.
  std::string viewTexts(const std::string& prefix = {}) const { return readLabels(inViews<render::Label>(prefix)); }
  /// viewTexts() with line ends replaced by spaces.
  std::string viewSentences(const std::string& prefix = {}) const {
    std::string all = viewTexts(prefix);
    std::replace(all.begin(), all.end(), '\n', ' ');
    return all;
  }
  std::string folderOf(std::size_t index) const {
    return editor.document().at("training.runs[" + std::to_string(index) + "].folder").get<std::string>();
  }
};

}  // namespace sepx::ui
