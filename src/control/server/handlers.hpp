// SPDX-License-Identifier: Apache-2.0
/// \file
/// The handlers of the methods. Each source file holds those that belong together.
#pragma once

#include "control/server/method.hpp"

namespace hild::server {

// read_status.cpp
[[nodiscard]] boost::json::value status(const Context& context, Params& params);
// read_values.cpp
[[nodiscard]] boost::json::value list(const Context& context, Params& params);
[[nodiscard]] boost::json::value get(const Context& context, Params& params);
[[nodiscard]] boost::json::value saved(const Context& context, Params& params);
// read_times.cpp
[[nodiscard]] boost::json::value histograms(const Context& context, Params& params);
[[nodiscard]] boost::json::value overruns(const Context& context, Params& params);

/// change_reader.cpp: reads a change of each kind, in the order of exec::Change.
[[nodiscard]] std::span<const Changing> change_readers();
// change_many.cpp
void transaction(const Context& context, Params& params, Changes& changes);
[[nodiscard]] boost::json::value stop(const Context& context, Params& params);
[[nodiscard]] boost::json::value arm(const Context& context, Params& params);
[[nodiscard]] boost::json::value disarm(const Context& context, Params& params);
// take_control.cpp
[[nodiscard]] boost::json::value take(const Context& context, Params& params,
                                      const std::shared_ptr<Client>& client);
[[nodiscard]] boost::json::value give(const Context& context, Params& params,
                                      const std::shared_ptr<Client>& client);

}  // namespace hild::server
