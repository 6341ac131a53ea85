// SPDX-License-Identifier: Apache-2.0
/// \file
/// All of the server but its sockets, before a run of the motor that never starts.
#pragma once

#include <boost/asio/io_context.hpp>

#include "control/server/dashboards.hpp"
#include "control/server/dispatcher.hpp"
#include "control/server/history.hpp"
#include "control/server/http_pages.hpp"
#include "control/server/model_times.hpp"
#include "control/server/roles.hpp"
#include "control/server/sequences.hpp"
#include "control/server/showing.hpp"
#include "control/server/state_watch.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::fuzz {

class NoSampler final : public io::Sampler {
 public:
  bool exchange(std::span<const double>, std::span<double>, MonoTime now,
                std::span<MonoTime> sampled) noexcept override {
    for (MonoTime& instant : sampled) instant = now;
    return true;
  }
  bool safe() noexcept override { return true; }
};

struct ServedMotor {
  boost::asio::io_context io;
  std::unique_ptr<model::Stepper> plant =
      model::find_model("dc-motor")->make(numerics::forward_euler);
  rt::VirtualClock clock;
  NoSampler sampler;
  const std::vector<io::SampledInput> two_inputs = std::vector<io::SampledInput>(2);
  exec::ExternalEvents events;
  exec::FrameLoop loop{{}, exec::Parts{clock, sampler, *plant, two_inputs, {0.0, 0.0}, &events}};
  rt::Flag stop;
  rt::Flag ended;
  server::Run run{.model = "dc-motor",
                  .method = "forward-euler",
                  .version = "0",
                  .settings = {},
                  .layout = {1, 2, 3, 2},
                  .description = plant->description(),
                  .start_parameters = std::vector<double>(5),
                  .inputs = std::vector<server::Wire>(2),
                  .outputs = std::vector<server::Wire>(3),
                  .loop = loop,
                  .events = events,
                  .stop = stop,
                  .ended = ended};
  server::Names names{run.description};
  server::ActiveChanges active;
  server::OverrunHistory overruns;
  server::ModelTimes model_times;
  server::SampleTap tap{io::FrameLayout(1, 2, 3, 2), 1000};
  server::Transactions transactions{io, run, active};
  server::Subscriptions subscriptions{io, tap, names, 1000};
  server::Ownership ownership;
  server::Clients clients{subscriptions, transactions, ownership};
  const std::vector<config::Role> no_roles{};
  server::Roles roles{no_roles, names};
  server::History history{io, run.layout, names, 1000};
  // Nothing can be kept there, whatever it is called.
  server::Dashboards dashboards{"/proc/dashboards"};
  const std::vector<config::Control::Sequence> no_sequences{};
  server::Sequences sequences{io, run, no_sequences, [] { return std::string(); }};
  server::Showing showing;
  server::Context context{run,          names,         active,     overruns,  model_times,
                          transactions, subscriptions, clients,    ownership, roles,
                          watch,        history,       dashboards, sequences, showing};
  server::StateWatch watch{io, context};
  server::Turns turns{io};
};

}  // namespace hild::fuzz
