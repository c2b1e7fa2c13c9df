// SPDX-License-Identifier: Apache-2.0
// An exhibit with a run service in a folder of its own. Training steps advance with the frames.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tests/temporary_folder.h"
#include "tests/ui/page/exhibit_rig.h"
#include "ui/runs/runs.h"

namespace sepx::ui {

struct RunsFolder {
  tests::TemporaryFolder own;
};

class RunsExhibitRig : protected RunsFolder, public ExhibitRig {
 public:
  explicit RunsExhibitRig(std::unique_ptr<Exhibit> made) : ExhibitRig(std::move(made)) {
    RunsOptions options;
    options.folder = (own.path / "runs").string();
    options.threads = 1;
    runs = std::make_unique<Runs>(std::move(options));
    runs->setPaced(true);
  }

  const render::Scene& frame(std::vector<InputEvent> events = {}) override {
    if (runs) runs->update();
    return ExhibitRig::frame(std::move(events));
  }
  bool complete() const override { return ExhibitRig::complete() && (!runs || !runs->busy()); }
  ExhibitContext context() override {
    ExhibitContext made = ExhibitRig::context();
    made.runs = runs.get();
    return made;
  }

  std::unique_ptr<Runs> runs;
};

}  // namespace sepx::ui
