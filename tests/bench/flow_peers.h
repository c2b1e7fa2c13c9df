// SPDX-License-Identifier: Apache-2.0
// Compares sepx with SciPy's solve_ivp (DOP853), Boost.odeint and XPPAUT on ten thousand trajectories to convergence,
// in the same run and from the same starts (SciPy and XPPAUT: the first 200 and 60 of them). Each result includes the
// error against the limit in closed form.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `folder` contains flow_scipy.py and flow_xppaut.py.
nlohmann::ordered_json measureFlowPeers(const std::string& folder);

}  // namespace sepx::bench
