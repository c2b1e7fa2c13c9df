// SPDX-License-Identifier: Apache-2.0
// Airy functions for the 3-D invariants (Ai, Bi and their derivatives at -k s). They are Boost's functions with an
// error policy that returns NaN or infinity instead of throwing. Internal to engine/markov. Pure functions.
#pragma once

#include <cmath>

#include <boost/math/special_functions/airy.hpp>

namespace sepx::markov {
/// Error policy: errors return special values and nothing is thrown.
using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

/// k = 4^(-1/3), the scale at which the reduced equation becomes the Airy equation.
inline const double kAiry = std::cbrt(0.25);

}  // namespace sepx::markov
