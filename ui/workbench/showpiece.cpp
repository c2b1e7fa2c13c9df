// SPDX-License-Identifier: Apache-2.0
// See showpiece.h.
#include "ui/workbench/showpiece.h"

#include <utility>

#include "engine/core/log.h"

namespace sepx::ui {
namespace {

constexpr int kPane = 9;        // lanes of its own among the jobs: a window has four panes at most
constexpr double kPause = 1.5;  // seconds between them
constexpr double kOverture = 0.4;

const render::Scene kEmpty;

}  // namespace

class Showpiece::Desk final : public Editor {
 public:
  explicit Desk(Exhibit& exhibit) {
    exhibit.declare(registry_);
    document_ = exhibit.exampleState();
  }
  const Document& document() const override { return document_; }
  std::uint64_t revision() const override { return revision_; }
  const PropertyRegistry& properties() const override { return registry_; }
  Result<void> set(std::string_view key, const Value& value, std::string) override {
    auto next = registry_.set(document_, key, value);
    if (!next) return tl::unexpected(next.error());
    replace(std::move(*next));
    return {};
  }
  void commit(Document next, std::string, std::string) override { replace(std::move(next)); }
  void replace(Document next) override {
    document_ = std::move(next);
    ++revision_;
  }
  void seal() override {}
  void say(std::string errorSentence) override { spdlog::debug("start page: {}", errorSentence); }

 private:
  PropertyRegistry registry_;
  Document document_;
  std::uint64_t revision_ = 1;
};

Showpiece::Showpiece(std::unique_ptr<Exhibit> exhibit)
    : exhibit_(std::move(exhibit)), desk_(std::make_unique<Desk>(*exhibit_)), scene_(&kEmpty) {}
Showpiece::~Showpiece() = default;

void Showpiece::update(const ExhibitContext& like) {
  ExhibitContext context{*desk_,       like.jobs.inPane(kPane),
                         like.pool,    like.gpu,
                         Compute::Cpu, like.scripted,
                         like.theme,   like.seconds,
                         like.scale,   like.area};
  context.figure = true;  // no advice, no pointer, no panel
  context.legend = like.legend;
  context.seed = like.seed;
  context.pane = kPane;
  scripted_ = like.scripted;
  exhibit_->update(context);
  direct(context);
  scene_ = &exhibit_->scene(context);
}

/// Waits until the picture is complete, plays it, waits a little, shows the other side, plays that.
void Showpiece::direct(ExhibitContext& context) {
  if (scripted_ || act_ > acts_ || !exhibit_->complete() || exhibit_->animating()) return;
  if (restSince_ < 0) restSince_ = context.seconds;
  if (context.seconds - restSince_ < (act_ == 0 ? kOverture : kPause)) return;
  restSince_ = -1;
  if (act_ > 0 && act_ < acts_) {
    desk_->replace(exhibit_->contrastState(desk_->document()));
    exhibit_->update(context);
  }
  if (++act_ <= acts_ && !exhibit_->run(context, "play.toggle")) act_ = acts_ + 1;
}

bool Showpiece::animating() const {
  return exhibit_->animating() || (!scripted_ && act_ <= acts_ && exhibit_->complete());
}

}  // namespace sepx::ui
