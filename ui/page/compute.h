// SPDX-License-Identifier: Apache-2.0
// Where the numbers of the interactive picture are computed (--compute).
#pragma once

namespace sepx::ui {

enum class Compute { Auto, Cpu, Gpu };

}  // namespace sepx::ui
