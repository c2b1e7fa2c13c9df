// SPDX-License-Identifier: Apache-2.0
// What the document says about the particles, and their declarations.
#pragma once

#include "engine/dynamics/particles.h"
#include "ui/exhibits/flow/plane/particles_results.h"
#include "ui/exhibits/flow/shared/flow_declare.h"

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

}  // namespace sepx::ui
