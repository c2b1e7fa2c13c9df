// SPDX-License-Identifier: Apache-2.0
// Flow texture and particles in the exhibit: what is shown, when it is computed again, that a script always gives the
// same picture, that the cloud runs and stops in a window, legend, numbers, commands.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "engine/dynamics/lic.h"
#include "engine/markov/gaussian.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/plane/particles_layer.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/plane/texture_layer.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const render::LabelMap* picture(const render::Scene& scene, const std::string& name) {
  const render::Layer* layer = Rig::layer(scene, name);
  return layer && !layer->items.empty() ? std::get_if<render::LabelMap>(&layer->items.front()) : nullptr;
}

struct ParticleRig : Rig {
  explicit ParticleRig(double count = 2000) {
    set("flow.particles.count", count);
    set("flow.particles.seconds", 0.5);
    set("flow.show.particles", true);
  }
};

/// Runs frames as a window does: results arrive between frames.
const render::Scene& live(Rig& rig, int frames) {
  const render::Scene* scene = nullptr;
  for (int i = 0; i < frames; ++i) {
    rig.jobs.finish();
    scene = &rig.frame();
  }
  return *scene;
}

bool legendSays(const render::Scene& scene, const std::string& words) {
  const render::Layer* legend = Rig::layer(scene, "legend");
  if (!legend) return false;
  return std::any_of(legend->items.begin(), legend->items.end(), [&](const render::Item& item) {
    const auto* label = std::get_if<render::Label>(&item);
    return label && label->text.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("The texture belongs to the visible window and its field", "[fields]") {
  Rig rig;
  rig.area = {{0, 0}, {480, 360}};
  CHECK(picture(rig.settle(), "texture") == nullptr);
  rig.set("flow.show.texture", true);
  const render::LabelMap* texture = picture(rig.settle(), "texture");
  REQUIRE(texture);
  CHECK(rig.text("flow.texture.device") == "CPU");
  CHECK(texture->palette.size() == 256);
  CHECK(texture->palette[dynamics::kLicNeutral].a == 0);
  // At the full resolution of the plot the levels equal those of the engine's texture.
  const dynamics::FieldRegistry fields = allFields();
  dynamics::BasinWindow window{texture->extent.min.x, texture->extent.max.x, texture->extent.min.y,
                               texture->extent.max.y, texture->width,        texture->height};
  CHECK(texture->width > 250);
  const auto made = dynamics::lineIntegralConvolution(*fields.find("ew"), std::vector<double>{0.5, 0.8}, window,
                                                      {.length = 24}, rig.pool);
  CHECK(*texture->labels == made.levels);
  const std::uint64_t revision = Rig::layer(rig.frame(), "texture")->revision;
  CHECK(Rig::layer(rig.frame(), "texture")->revision == revision);
  CHECK_FALSE(rig.exhibit->animating());
  rig.set("flow.texture.length", 60.0);
  rig.settle();
  const auto longer = *picture(rig.frame(), "texture")->labels;
  CHECK(longer != made.levels);
  rig.set("flow.field", std::string("duffing"));
  CHECK(*picture(rig.settle(), "texture")->labels != longer);
  rig.set("flow.show.texture", false);
  CHECK(picture(rig.settle(), "texture") == nullptr);
}

TEST_CASE("Streaks are animated only in a window, not in a script", "[fields]") {
  Rig rig;
  rig.area = {{0, 0}, {480, 360}};
  rig.set("flow.show.texture", true);
  rig.set("flow.texture.running", true);
  rig.settle();
  CHECK_FALSE(rig.exhibit->animating());
  rig.scripted = false;
  live(rig, 6);
  CHECK(rig.exhibit->animating());
  const auto first = picture(live(rig, 1), "texture")->labels;
  rig.seconds += 0.5;
  CHECK(picture(live(rig, 1), "texture")->labels != first);
}

TEST_CASE("In a script the cloud is shown after a fixed time and is always the same", "[fields]") {
  ParticleRig rig;
  const render::LabelMap* cloud = picture(rig.settle(), "particles");
  REQUIRE(cloud);
  CHECK_FALSE(rig.exhibit->animating());
  CHECK(rig.exhibit->complete());
  const std::vector<std::uint8_t> levels = *cloud->labels;
  CHECK(*std::max_element(levels.begin(), levels.end()) > 100);
  for (int i = 0; i < 5; ++i)
    CHECK(*picture(rig.settle(), "particles")->labels == levels);
  ParticleRig other;
  CHECK(*picture(other.settle(), "particles")->labels == levels);
  // At a later time and back: the same cloud again.
  rig.set("flow.particles.seconds", 2.0);
  CHECK(*picture(rig.settle(), "particles")->labels != levels);
  rig.set("flow.particles.seconds", 0.5);
  CHECK(*picture(rig.settle(), "particles")->labels == levels);
  rig.seed = 1;
  CHECK(*picture(rig.settle(), "particles")->labels != levels);
}

TEST_CASE("In a window the cloud runs, pauses, restarts, and stops when all particles rest", "[fields]") {
  ParticleRig rig;
  rig.scripted = false;
  live(rig, 3);
  CHECK(rig.exhibit->animating());
  const auto first = picture(live(rig, 2), "particles")->labels;
  CHECK(picture(live(rig, 2), "particles")->labels != first);
  REQUIRE(rig.run("flow.particles-pause"));
  CHECK(rig.value("flow.particles.running") == Value(false));
  live(rig, 3);
  CHECK_FALSE(rig.exhibit->animating());
  const std::uint64_t revision = Rig::layer(rig.frame(), "particles")->revision;
  CHECK(Rig::layer(live(rig, 3), "particles")->revision == revision);
  REQUIRE(rig.run("flow.particles-restart"));
  CHECK(Rig::layer(live(rig, 3), "particles")->revision != revision);
  // A zoom during the pause shows the same cloud.
  const double stuck = rig.number("flow.particles.stuck");
  REQUIRE(rig.run("view.zoom-in"));
  live(rig, 3);
  CHECK(rig.number("flow.particles.stuck") == stuck);
  CHECK_FALSE(rig.exhibit->animating());
  rig.set("flow.particles.clock", std::string("unit"));
  rig.set("flow.particles.speed", 5.0);
  rig.set("flow.particles.respawn", false);
  rig.set("flow.particles.running", true);
  live(rig, 400);
  CHECK_FALSE(rig.exhibit->animating());
}

TEST_CASE("The measured shares of the cloud are shown beside the exact ones", "[fields]") {
  ParticleRig rig(5000);
  rig.area = {{0, 0}, {480, 360}};
  rig.set("flow.particles.clock", std::string("unit"));
  rig.set("flow.particles.seconds", 10.0);
  const render::Scene& scene = rig.settle();
  const double exact = markov::probabilityLocalMinimum(1, true);
  CHECK(rig.number("flow.particles.exact") == Approx(exact));
  CHECK(rig.number("flow.particles.stuck") == Approx(exact).margin(4 * std::sqrt(0.25 / 5000)));
  CHECK(rig.number("flow.particles.stuck") + rig.number("flow.particles.global") +
            rig.number("flow.particles.under-way") ==
        Approx(1).margin(0.01));
  CHECK(legendSays(scene, "exact"));
  const Numbers numbers = rig.exhibit->numbers();
  const auto table = std::find_if(numbers.tables.begin(), numbers.tables.end(),
                                  [](const Table& one) { return one.name == "particles"; });
  REQUIRE(table != numbers.tables.end());
  // The other side of p + q = 1 has another probability and starts a new cloud.
  rig.set("flow.p", 0.1);
  rig.settle();
  CHECK(rig.number("flow.particles.exact") == Approx(markov::probabilityLocalMinimum(1, false)));
  CHECK(rig.number("flow.particles.stuck") ==
        Approx(markov::probabilityLocalMinimum(1, false)).margin(4 * std::sqrt(0.25 / 5000)));
  rig.set("flow.particles.start", std::string("uniform"));
  rig.settle();
  CHECK(std::isnan(rig.number("flow.particles.exact")));
  rig.set("flow.q", 0.9);  // p + q = 1
  rig.settle();
  CHECK(rig.number("flow.particles.stuck") == 0);
}

TEST_CASE("The legend of the field with softmax has the shares of its basins, and its points have limits", "[fields]") {
  Rig rig;
  rig.set("flow.field", std::string("softmax"));
  REQUIRE(rig.add(0.5, -1.1));
  REQUIRE(rig.add(0.3, 0.2));
  const render::Scene& scene = rig.settle();
  CHECK(legendSays(scene, "global minimum: "));
  CHECK(legendSays(scene, "local minimum: "));
  CHECK(rig.text("flow.points[0].limit.kind") == "global-min");
  CHECK(rig.text("flow.points[1].limit.kind") == "local-min");
  CHECK(rig.number("flow.points[1].limit.loss") == Approx(0.666278442414676).epsilon(1e-9));  // H(pi), pi_1 = 5/13
}

TEST_CASE("Densities and textures are visible in every theme", "[fields]") {
  for (const std::string& key : themeKeys()) {
    CAPTURE(key);
    const Theme& theme = *findTheme(key);
    const auto density = densityPalette(theme);
    REQUIRE(density.size() == 256);
    CHECK(density[0].a == 0);
    CHECK(density[255].a == 1);
    CHECK(contrast(density[255], theme.plotBackground) > 7);
    const auto texture = texturePalette(theme);
    CHECK(texture[0].a > 0.5);
    CHECK(texture[255].a > 0.3);
  }
}
