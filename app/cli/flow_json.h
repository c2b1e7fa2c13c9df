// SPDX-License-Identifier: Apache-2.0
// Output that the verbs flow and trajectory share. Any thread.
#pragma once

#include <string>

#include "app/cli/json_out.h"
#include "app/cli/model_arguments.h"
#include "engine/markov/flow.h"

namespace sepx::app::cli {

/// {"theta","loss","kind"} or null.
Json limitJson(const std::optional<markov::Limit>& limit);
/// {"steps","rejected","evaluations","t_end"}
Json integratorJson(const markov::FlowResult& flow);
/// "(0, 0.21)" for people.
std::string pointDisplayText(const markov::State& theta);
/// A sentence for people about where the path of the point ends or, if followed backwards, came from.
std::string endDisplayText(const markov::FlowResult& flow, const ModelPoint& point, bool backward = false);

}  // namespace sepx::app::cli
