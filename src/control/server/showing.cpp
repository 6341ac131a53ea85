// SPDX-License-Identifier: Apache-2.0
#include "control/server/showing.hpp"

#include <boost/json/object.hpp>

#include "control/server/history.hpp"
#include "control/server/method.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

double elapsed_s(Showing::Clock::time_point since, Showing::Clock::time_point now) {
  return std::chrono::duration<double>(now - since).count();
}

}  // namespace

Showing::Stretch Showing::read(Params& params, History& history) {
  const bool last = params.has("last_s");
  const bool from = params.has("from_s");
  if (last && (from || params.has("to_s"))) {
    params.reject("last_s", "found from_s or to_s beside it, expected one or the other");
  }
  const Duration back = last ? params.duration("last_s") : Duration{};
  const Duration first = from ? params.duration("from_s") : Duration{};
  const std::optional<Duration> end =
      params.has("to_s") ? std::optional(params.duration("to_s")) : std::nullopt;
  Stretch asked;
  asked.speed = params.number("speed", "1", 1.0, {slowest, fastest});
  params.refuse_unknown();
  if (!last && !from) {
    params.reject("from_s", "missing, expected from when to show, or last_s; nothing at all ends");
  }
  const auto known = history.known();
  if (!known) {
    refuse(rpc::Code::refused, "nothing is known of the run yet: try again when frames advance");
  }
  const auto [oldest, newest] = *known;
  asked.to = end ? SimTime{} + *end : newest;
  asked.from = last ? newest - back : SimTime{} + first;
  if (asked.from < oldest || asked.from >= newest) {
    params.reject(last ? "last_s" : "from_s",
                  fmt::format("found {:.3f} s, expected a time from {:.3f} s, the oldest that is "
                              "kept, to before {:.3f} s, where the run is",
                              in_seconds(asked.from), in_seconds(oldest), in_seconds(newest)));
  }
  if (asked.to <= asked.from || asked.to > newest) {
    params.reject("to_s",
                  fmt::format("found {:.3f} s, expected a time after {:.3f} s, from when to "
                              "show, to {:.3f} s, where the run is",
                              in_seconds(asked.to), in_seconds(asked.from), in_seconds(newest)));
  }
  return asked;
}

json::value Showing::answer(Params& params, History& history, const std::string& by,
                            Clock::time_point now) {
  const bool begins =
      params.has("from_s") || params.has("to_s") || params.has("last_s") || params.has("speed");
  if (begins) {
    Stretch asked = read(params, history);
    asked.by = by;
    asked.began = now;
    stretch_ = std::move(asked);
    ++number_;
  } else {
    params.refuse_unknown();
    stretch_.reset();
  }
  return json::object{{"showing", told(now)}};
}

json::value Showing::told(Clock::time_point now) const {
  if (!stretch_) return nullptr;
  const double at = in_seconds(stretch_->from) + elapsed_s(stretch_->began, now) * stretch_->speed;
  if (at >= in_seconds(stretch_->to)) return nullptr;
  return json::object{{"number", number_},
                      {"from_s", in_seconds(stretch_->from)},
                      {"to_s", in_seconds(stretch_->to)},
                      {"speed", stretch_->speed},
                      {"at_s", at},
                      {"by", stretch_->by.empty() ? json::value() : json::value(stretch_->by)}};
}

json::value show(const Context& context, Params& params, const std::shared_ptr<Client>& client) {
  return context.showing.answer(params, context.history, client->rights().role,
                                Showing::Clock::now());
}

}  // namespace hild::server
