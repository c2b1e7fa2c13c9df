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
  dynamics::ParticleStep step;  ///< for 1/60 s
  double seconds = 1;           ///< time that the cloud has run when it is first shown
};

ParticlesState readParticles(const Document& document, const PropertyRegistry& registry);

/// The objects that the read-outs read; they must outlive the registry.
struct ParticlesReadings {
  const ParticlesState& state;
  const FlowParticles& results;
};

/// The share of all particles whose first life certainly ends at `kind`; for Undecided, of those whose end is not yet
/// certain. Empty while there are no valid counts.
std::optional<double> measuredShare(const FlowParticles& results, markov::LimitKind kind);
/// The same share by quadrature, for a Gaussian cloud; empty if it is not defined.
std::optional<double> exactShare(const FlowParticles& results, markov::LimitKind kind);

void declareParticles(PropertyRegistry& registry, const ParticlesReadings& readings);

std::unique_ptr<PlaneLayer> makeParticlesLayer();

/// Colours of the 256 levels of a density: transparent, then the theme's text colour with increasing opacity.
std::vector<render::Color> densityPalette(const Theme& theme);

}  // namespace sepx::ui
