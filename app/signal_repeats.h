// SPDX-License-Identifier: Apache-2.0
// Signals that ask a program to end: the first is handled in order, one that comes again ends the program at once.
// `timeout` and some shells deliver one press twice, to the process and to its group, so what comes again within half a
// second is the same press.
#pragma once

namespace sepx::app {

/// Inside a handler, for a signal that awaitFirst() prepared: true for the first one. One that comes again after half a
/// second ends the program by the signal's default action.
bool isFirst(int signal);

/// From here on the next one is the first.
void awaitFirst(int signal);

}  // namespace sepx::app
