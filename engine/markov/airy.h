// SPDX-License-Identifier: Apache-2.0
// Airy functions as the 3-D invariants use them (Ai, Bi and their derivatives of -k s): Boost's, told to answer NaN or
// infinity where it would throw. Internal to engine/markov. Pure functions.
#pragma once

#include <cmath>

#include <boost/math/special_functions/airy.hpp>

namespace sepx::markov {
/// Errors become values, nothing is thrown.
using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

/// k = 4^(-1/3), with which the reduced equation becomes Airy's.
inline const double kAiry = std::cbrt(0.25);

}  // namespace sepx::markov
