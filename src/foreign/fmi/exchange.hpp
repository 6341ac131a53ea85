// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steppers of FMUs. For model exchange the kernels of numerics/, with sizes and tableau read at
/// run time, advance the FMU's equations; for co-simulation the FMU advances itself.
#pragma once

#include <memory>

#include "foreign/fmi/layout.hpp"
#include "hild/model/stepper.hpp"

namespace hild::fmi {

/// Makes the equations of an FMU, with an instance of their own. Under co-simulation there are only
/// outputs.
[[nodiscard]] std::unique_ptr<model::System> exchange_system(std::shared_ptr<const Layout> layout,
                                                             std::unique_ptr<Instance> instance);
[[nodiscard]] std::unique_ptr<model::System> co_simulation_system(
    std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance);

/// Makes a stepper for model exchange. Load time: allocates all that a step needs.
[[nodiscard]] std::unique_ptr<model::Stepper> make_exchange(std::shared_ptr<const Layout> layout,
                                                            std::unique_ptr<Instance> instance,
                                                            const numerics::Method& method);

/// Makes a stepper for co-simulation: one pass a step, with the inputs of its start, which is why
/// `method`, for reports, is forward-euler.
[[nodiscard]] std::unique_ptr<model::Stepper> make_co_simulation(
    std::shared_ptr<const Layout> layout, std::unique_ptr<Instance> instance,
    const numerics::Method& method);

}  // namespace hild::fmi
