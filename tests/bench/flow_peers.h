// SPDX-License-Identifier: Apache-2.0
// Ten thousand trajectories to convergence: ours beside SciPy's solve_ivp (DOP853), Boost.odeint and XPPAUT, in the
// same run, from the same starts, each with its error against the limit in closed form.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `folder`: where flow_scipy.py and flow_xppaut.py are.
nlohmann::ordered_json measureFlowPeers(const std::string& folder);

}  // namespace sepx::bench
