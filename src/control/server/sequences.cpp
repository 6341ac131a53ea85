// SPDX-License-Identifier: Apache-2.0
#include "control/server/sequences.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value_from.hpp>
#include <cstring>

#include "config/near_names.hpp"
#include "control/server/method.hpp"
#include "control/server/roles.hpp"
#include "core/control_characters.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

constexpr std::size_t longest_name_of_step = 200;  // bytes
constexpr std::size_t longest_message = 600;
constexpr rpc::Limits of_a_line{.message = SequenceProcess::longest_line, .depth = 8};
constexpr auto patience_at_the_end = std::chrono::seconds(1);

/// A line for people, of so many bytes at most, cut between letters.
std::string in_a_line(std::string_view text, std::size_t most) {
  std::string line(text.substr(0, most));
  if (text.size() > most) {
    std::size_t begins = line.size();
    while (begins > 0 && (static_cast<unsigned char>(text[begins]) & 0xC0U) == 0x80) --begins;
    line.resize(begins);
    line += "…";
  }
  return without_controls(line);
}

// What is not text is not repeated as if it were.
std::string as_words(std::string_view line) {
  std::string words = in_a_line(line, longest_message);
  std::ranges::replace_if(
      words, [](unsigned char c) { return c >= 0x80; }, '?');
  return words;
}

const json::object* object_in(const json::value& of, std::string_view key) {
  const json::value* const v = of.is_object() ? of.get_object().if_contains(key) : nullptr;
  return v != nullptr ? v->if_object() : nullptr;
}

std::string told_text(const json::object& of, std::string_view key, std::size_t most) {
  const json::value* const v = of.if_contains(key);
  return v != nullptr && v->is_string() ? in_a_line(v->get_string(), most) : std::string();
}

json::value told_number(const json::object& of, std::string_view key) {
  const json::value* const v = of.if_contains(key);
  return v != nullptr && v->is_number() ? *v : json::value(0);
}

/// Of a word that is known the one that lives; else "error".
std::string_view verdict_in(const json::object& of) {
  const std::string said = told_text(of, "result", 16);
  for (const std::string_view known : {"passed", "failed", "skipped"}) {
    if (said == known) return known;
  }
  return "error";
}

std::string words_of_end(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ended, exit code {},", WEXITSTATUS(status));
  return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                     ::strsignal(WTERMSIG(status)));  // NOLINT(concurrency-mt-unsafe): a copy
}

}  // namespace

Sequences::Sequences(boost::asio::io_context& io, const Run& run, const Configured& configured,
                     std::function<std::string()> socket)
    : io_(io), run_(run), configured_(configured), socket_(std::move(socket)) {}

Sequences::~Sequences() = default;

const config::Control::Sequence& Sequences::read_which(Params& params) const {
  const std::string name = params.text("sequence");
  params.refuse_unknown();
  const auto one = std::ranges::find(configured_, name, &config::Control::Sequence::name);
  if (one != configured_.end()) return *one;
  if (configured_.empty()) {
    refuse(rpc::Code::refused,
           "this run has no sequences: its configuration has no control.sequences; `hildctl "
           "sequence FILE` runs any");
  }
  std::vector<std::string_view> known;
  for (const config::Control::Sequence& each : configured_) known.push_back(each.name);
  params.reject("sequence", fmt::format("there is no sequence {}, {}", found(json::value(name)),
                                        config::suggest(name, known)));
}

void Sequences::begin(const config::Control::Sequence& which, const std::string& owner) {
  if (run_.ended.raised()) refuse(rpc::Code::run_ended, "the run has ended");
  if (process_ != nullptr) {
    refuse(rpc::Code::refused,
           "sequence \"{}\" runs: wait until it has ended, or end it (`hildctl cease`)",
           last_.sequence);
  }
  auto launched = run_.launch({.file = which.file, .socket = socket_(), .owner = owner});
  if (!launched) {
    refuse(rpc::Code::refused, "sequence \"{}\" cannot be begun: {}", which.name,
           launched.error().message);
  }
  last_ = Begun{.sequence = which.name,
                .turn = last_.turn + 1,
                .at = newest_step(run_).time,
                .is = "running"};
  process_ = std::make_unique<SequenceProcess>(
      io_, std::move(*launched),
      SequenceProcess::Calls{
          .line = [this](std::string_view line) { take(line); },
          .ended = [this](int status,
                          const std::string& killed_for) { ended(status, killed_for); }});
}

void Sequences::cease() {
  last_.is = "ending";
  process_->interrupt(patience);
}

void Sequences::close() {
  if (process_ != nullptr) process_->interrupt(patience_at_the_end);
}

std::string Sequences::running() const { return process_ == nullptr ? "" : last_.sequence; }

std::string_view Sequences::is() const { return last_.is; }

std::string Sequences::words() const {
  if (last_.is == "none") return "none";
  if (last_.is == "running") return fmt::format("running: {}", last_.sequence);
  if (last_.is == "ending") {
    return fmt::format("ending: {}, its last steps are taken", last_.sequence);
  }
  return fmt::format("{}: {}: {}", last_.is, last_.sequence, last_.words);
}

// ---- what the process writes -------------------------------------------------------------------

void Sequences::take(std::string_view line) {
  const auto parsed = rpc::parse_json(line, of_a_line);
  if (parsed) {
    if (const auto* step = object_in(*parsed, "step")) return take_step(*step);
    if (const auto* outcome = object_in(*parsed, "outcome")) return take_outcome(*outcome);
    if (const auto* error = object_in(*parsed, "error")) {
      last_.error = told_text(*error, "message", longest_message);
      return;
    }
    if (const auto* its = object_in(*parsed, "sequence")) {
      last_.totals = {{"name", told_text(*its, "name", longest_name_of_step)},
                      {"description", told_text(*its, "description", longest_message)},
                      {"steps", told_number(*its, "steps")},
                      {"always", told_number(*its, "always")}};
      return;
    }
  }
  last_.said = as_words(line);
}

// A list that is full keeps what did not pass, and what is newest.
void Sequences::take_step(const json::object& step) {
  const std::int64_t number = last_.next++;
  const std::string_view verdict = verdict_in(step);
  if (last_.steps.size() == most_steps) {
    ++last_.left_out;
    if (verdict == "skipped") return;
    const auto passed = std::ranges::find_if(
        last_.steps, [](const Step& one) { return one.told.at("result") == "passed"; });
    if (passed == last_.steps.end()) return;
    last_.steps.erase(passed);
  }
  const json::value* const always = step.if_contains("always");
  json::object told{{"number", number},
                    {"name", told_text(step, "name", longest_name_of_step)},
                    {"does", told_text(step, "does", longest_name_of_step)},
                    {"line", told_number(step, "line")},
                    {"always", always != nullptr && *always == json::value(true)},
                    {"result", verdict},
                    {"start_s", told_number(step, "start_s")},
                    {"end_s", told_number(step, "end_s")}};
  const std::string message = told_text(step, "message", longest_message);
  if (!message.empty()) told["message"] = message;
  last_.steps.push_back({number, std::move(told)});
}

void Sequences::take_outcome(const json::object& outcome) {
  std::string counted;
  for (const auto& [key, words] : {std::pair("passed", "passed"), std::pair("failed", "failed"),
                                   std::pair("errors", "error"), std::pair("skipped", "skipped")}) {
    const json::value count = told_number(outcome, key);
    if (count == json::value(0)) continue;
    counted +=
        fmt::format("{}{} {}", counted.empty() ? "" : ", ", count.to_number<double>(), words);
  }
  const std::string displaced = told_text(outcome, "displaced", longest_message);
  last_.words = fmt::format("{}{}{}", counted.empty() ? "no step" : counted,
                            displaced.empty() ? "" : "; ", displaced);
  last_.totals["outcome"] = verdict_in(outcome);
}

void Sequences::ended(int status, const std::string& killed_for) {
  const json::value* const outcome = last_.totals.if_contains("outcome");
  const std::string_view told =
      outcome == nullptr ? std::string_view() : std::string_view(outcome->get_string());
  const bool asked = last_.is == "ending";
  last_.is = told == "passed" ? "passed" : told == "failed" ? "failed" : "error";
  if (outcome == nullptr) {
    if (!killed_for.empty()) {
      last_.words = fmt::format("its process was killed: {}", killed_for);
    } else if (!last_.error.empty()) {
      last_.words = last_.error;
    } else if (asked && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
      last_.words = "ended as asked for, before its first step";
    } else {
      last_.words = fmt::format("its process {} and told no outcome", words_of_end(status));
    }
    if (last_.next > 0) {
      last_.words += "; what it changed stays, as nobody took its steps `always`";
    }
    if (!last_.said.empty()) last_.words += fmt::format("; it said: {}", last_.said);
  }
  process_.reset();
}

// ---- what is told ------------------------------------------------------------------------------

json::value Sequences::told(std::int64_t since) const {
  json::array all;
  for (const config::Control::Sequence& one : configured_) {
    all.push_back({{"name", one.name}, {"file", one.file}});
  }
  json::value last;
  if (last_.turn > 0) {
    json::array steps;
    for (const Step& one : last_.steps) {
      if (one.number >= since) steps.push_back(one.told);
    }
    const auto text = [this](const char* key) {
      const json::value* const v = last_.totals.if_contains(key);
      return v != nullptr ? *v : json::value();
    };
    last = {{"sequence", last_.sequence},
            {"turn", last_.turn},
            {"begun_s", in_seconds(last_.at)},
            {"is", last_.is},
            {"words", words()},
            {"name", text("name")},
            {"description", text("description")},
            {"of_steps", text("steps")},
            {"of_always", text("always")},
            {"ended", last_.next},
            {"left_out", last_.left_out},
            {"steps", std::move(steps)}};
  }
  const std::string now = running();
  return json::object{{"sequences", std::move(all)},
                      {"running", now.empty() ? json::value() : json::value(now)},
                      {"last", std::move(last)}};
}

// ---- requests ----------------------------------------------------------------------------------

json::value sequences(const Context& context, Params& params) {
  const std::int64_t since = params.integer("since", 0, INT64_MAX, 0);
  params.refuse_unknown();
  return context.sequences.told(since);
}

// It takes control by itself, for which the client who asks has to let go of it: control that stays
// is lent to it by the name of its owner, other control is given back.
json::value begin(const Context& context, Params& params, const std::shared_ptr<Client>& client) {
  const config::Control::Sequence& which = context.sequences.read_which(params);
  context.roles.allow_sequence(client->rights().role, which.name);
  const json::value control = context.ownership.told();
  const bool lent = control.is_object() && control.at("stays").as_bool();
  context.sequences.begin(which, lent ? std::string(control.at("owner").as_string()) : "");
  if (control.is_object() && !lent) context.ownership.give(*client, {});
  return json::object{{"sequence", which.name}};
}

json::value cease(const Context& context, Params& params, const std::shared_ptr<Client>& client) {
  params.refuse_unknown();
  const std::string which = context.sequences.running();
  if (which.empty()) refuse(rpc::Code::refused, "no sequence runs");
  context.roles.allow_sequence(client->rights().role, which);
  context.sequences.cease();
  return json::object{{"sequence", which}};
}

}  // namespace hild::server
