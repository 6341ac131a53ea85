// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steppers of FMUs. For model exchange the kernels of numerics/, with sizes and tableau read at
/// run time, advance the FMU's equations; for co-simulation the FMU advances itself.
#pragma once

#include <memory>

#include "foreign/fmi/layout.hpp"
#include "hild/model/stepper.hpp"

namespace hild::fmi {

/// Its equations, with an instance of their own. Under co-simulation there are none but outputs.
[[nodiscard]] std::unique_ptr<model::System> exchange_system(std::shared_ptr<const Layout> layout,
                                                             std::unique_ptr<Instance> instance);
[[nodiscard]] std::unique_ptr<model::System> co_simulation_system(
    std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance);

/// Load time: allocates all that a step needs.
[[nodiscard]] std::unique_ptr<model::Stepper> make_exchange(std::shared_ptr<const Layout> layout,
                                                            std::unique_ptr<Instance> instance,
                                                            const numerics::Method& method);

/// One pass a step, with the inputs of its start; `method` says so in reports: forward-euler.
[[nodiscard]] std::unique_ptr<model::Stepper> make_co_simulation(
    std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance,
    const numerics::Method& method);

}  // namespace hild::fmi
