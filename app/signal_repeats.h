// SPDX-License-Identifier: Apache-2.0
// Repeated signals that ask a program to end: the first one is handled in order, and a repetition ends the program at
// once. `timeout` and some shells deliver one key press twice, to the process and to its group, so a repetition within
// half a second counts as the same key press.
#pragma once

namespace sepx::app {

/// Call inside a handler, for a signal that awaitFirst() prepared: true for the first one. A repetition after half a
/// second or more ends the program by the signal's default action.
bool isFirst(int signal);

/// Resets the signal, so that the next one counts as the first.
void awaitFirst(int signal);

}  // namespace sepx::app
