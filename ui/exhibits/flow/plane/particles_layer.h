// SPDX-License-Identifier: Apache-2.0
// The layer of the cloud of particles: its parameters, its read-outs and its picture. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/exhibits/flow/plane/particles_results.h"
#include "ui/exhibits/flow/plane/plane_layer.h"

namespace sepx::ui {

struct ParticlesState {
  bool shown = false, runs = true;
  dynamics::ParticleOptions options;
  dynamics::ParticleStep step;  ///< of 1/60 s
  double seconds = 1;           ///< that the cloud has run when it is seen first
};

ParticlesState readParticles(const Document& document, const PropertyRegistry& registry);

/// What the read-outs read; the referents outlive the registry.
struct ParticlesReadings {
  const ParticlesState& state;
  const FlowParticles& results;
};

/// Shares of first lives: of all particles those that will certainly end at `kind`, and those of which nobody knows
/// yet.
std::optional<double> measuredShare(const FlowParticles& results, markov::LimitKind kind);
/// By quadrature, for a Gaussian cloud; nothing where there is no such number.
std::optional<double> exactShare(const FlowParticles& results, markov::LimitKind kind);

void declareParticles(PropertyRegistry& registry, const ParticlesReadings& readings);

std::unique_ptr<PlaneLayer> makeParticlesLayer();

/// Colours of the 256 levels of a density: nothing, then the theme's text ever more opaque.
std::vector<render::Color> densityPalette(const Theme& theme);

}  // namespace sepx::ui
