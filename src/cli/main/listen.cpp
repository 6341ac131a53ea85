// SPDX-License-Identifier: Apache-2.0
#include "cli/main/listen.hpp"

#include <algorithm>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/report/heard.hpp"
#include "cli/terminal/print.hpp"
#include "config/near_names.hpp"

namespace hild::commands {
namespace {

constexpr Duration look_up = 100_ms;  // so often it is looked whether the user has seen enough

const io::Member& find_device(const io::Bus& bus, std::string_view name) {
  const auto& all = bus.members();
  const auto found =
      std::ranges::find_if(all, [&](const io::Member& one) { return one.name == name; });
  if (found != all.end()) return *found;
  if (all.empty()) throw Error{"--listen: there is no device in this configuration"};
  std::vector<std::string_view> known;
  known.reserve(all.size());
  for (const io::Member& one : all) known.push_back(one.name.view());
  throw Error{fmt::format("--listen: no device \"{}\" in this configuration, {}", name,
                          config::suggest(name, known))};
}

// What a device says, with its name.
template <class T>
T of_device(const io::Member& device, Result<T> result) {
  if (result) return std::move(*result);
  throw Error{fmt::format("device {}: {}", device.name.view(), result.error().message),
              result.error().code};
}

std::unique_ptr<io::Listener> listener_of(const io::Member& device, rt::Clock& clock) {
  auto listener = of_device(device, device.device->listener(clock));
  if (listener == nullptr) {
    throw Error{
        fmt::format("device {}: its driver, {}, is none that can be listened to; the driver "
                    "can is one",
                    device.name.view(), device.driver.view())};
  }
  return listener;
}

}  // namespace

void listen(const io::Bus& bus, rt::Clock& clock, const ListenArguments& arguments) {
  const io::Member& device = find_device(bus, arguments.device);
  const Interrupted interrupted;
  const MonoTime start = clock.now();
  const auto listener = listener_of(device, clock);
  if (!arguments.count && !arguments.as_json) {
    cli::tell("listening to {} until interrupted\n", device.name.view());
  }
  for (int shown = 0; !interrupted.raised() && shown < arguments.count.value_or(shown + 1);) {
    const auto heard = of_device(device, listener->hear(clock.now() + look_up));
    if (!heard) continue;
    ++shown;
    const Duration since = heard->at - start;
    if (!cli::print_text(arguments.as_json ? report::heard_json(*heard, since)
                                           : report::heard_text(*heard, since))) {
      return;
    }
  }
}

}  // namespace hild::commands
