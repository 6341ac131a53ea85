// SPDX-License-Identifier: Apache-2.0
/// \file
/// Plants of FMUs. For model exchange the kernels of numerics/, with sizes and tableau read at run
/// time, advance the FMU's equations; for co-simulation the FMU advances itself.
#pragma once

#include <memory>

#include "fmi/layout.hpp"
#include "hild/model/plant.hpp"

namespace hild::fmi {

/// Load time: allocates all that a step needs.
[[nodiscard]] std::unique_ptr<model::Plant> make_exchange(std::shared_ptr<const Layout> layout,
                                                          std::unique_ptr<Instance> instance,
                                                          const numerics::Method& method);

/// One pass a step, with the inputs of its start; `method` says so in reports: forward-euler.
[[nodiscard]] std::unique_ptr<model::Plant> make_co_simulation(std::shared_ptr<const Layout> layout,
                                                               std::unique_ptr<Instance> instance,
                                                               const numerics::Method& method);

}  // namespace hild::fmi
