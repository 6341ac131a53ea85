// SPDX-License-Identifier: Apache-2.0
#include "cli/report/join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "core/decimal.hpp"
#include "core/json_parts.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
using join::Difference;
using join::Joined;
using join::Link;

// ---- JSON --------------------------------------------------------------------------------------

json::value time_or_null(Duration d) { return d.ns == 0 ? json::value() : in_seconds(d); }

json::value difference_in_json(const Link& link) {
  if (!link.first) return nullptr;
  const Difference& d = *link.first;
  json::object o{{"from", link.from},     {"to", link.to},
                 {"frame", d.frame},      {"t_s", d.t},
                 {"tai_ns", d.at.ns},     {"received", or_null(d.received)},
                 {"unit", link.unit},     {"made_tai_ns", d.made.ns},
                 {"was_sent", d.was_sent}};
  o["sent_in_frame"] = d.was_sent ? json::value(d.sent_in) : json::value();
  o["sent"] = d.was_sent ? or_null(d.sent) : json::value();
  o["sent_unit"] = link.sent_unit;
  o["expected"] = d.was_sent ? or_null(d.expected) : json::value();
  o["fits_frame"] = d.fits_frame ? json::value(*d.fits_frame) : json::value();
  return o;
}

json::object link_in_json(const Link& link) {
  const bool aged = link.ages.ticks > 0;
  return {{"from", link.from},
          {"to", link.to},
          {"sent", link.sent},
          {"received", link.received},
          {"lost", link.lost},
          {"overtaken", link.overtaken},
          {"repeated", link.repeated},
          {"out_of_order", link.out_of_order},
          {"unknown", link.unknown},
          {"age_s",
           {{"p50", aged ? json::value(in_seconds(link.ages.p50)) : json::value()},
            {"p99", aged ? json::value(in_seconds(link.ages.p99)) : json::value()},
            {"max", aged ? json::value(in_seconds(link.ages.max)) : json::value()}}},
          {"max_latency_s", time_or_null(link.max_latency)},
          {"ticks", link.ages.ticks},
          {"ticks_too_old", link.ages.too_old},
          {"differences", link.differences},
          {"first_difference", difference_in_json(link)}};
}

// ---- text --------------------------------------------------------------------------------------

std::string in_ms(Duration d) { return fmt::format("{:.3f} ms", static_cast<double>(d.ns) / 1e6); }

std::string nodes_in_words(const Joined& joined, const Style& style) {
  std::string out;
  for (const Joined::Node& node : joined.nodes) {
    out +=
        fmt::format(" {}{:>9.3f} .. {:.3f} s  {}\n", left(node.name, 16, style),
                    seconds(node.first - joined.zero), seconds(node.last - joined.zero), node.file);
    const auto note = [&](const std::string& words) {
      out += painted(fmt::format(" {:16}   {}\n", "", words), Colour::yellow, style);
    };
    if (node.missing > 0) {
      note(fmt::format("lacks steps in {}",
                       record::counted(static_cast<std::int64_t>(node.missing), "place")));
    }
    for (const std::string& words : node.notes) note(words);
  }
  return out;
}

std::string samples_in_words(const Link& link) {
  if (link.sent == 0) return "nothing of what was sent came";
  std::string words =
      link.received == link.sent
          ? fmt::format("{} sent, all received", grouped(link.sent))
          : fmt::format("{} sent, {} received", grouped(link.sent), grouped(link.received));
  const auto rare = [&](std::int64_t n, std::string_view what) {
    if (n > 0) words += fmt::format(", {} {}", grouped(n), what);
  };
  rare(link.lost, "lost or too late");
  rare(link.overtaken, "overtaken by newer ones");
  rare(link.repeated, "used more than once");
  rare(link.out_of_order, "out of order");
  rare(link.unknown, "of a time that the recording of the sender lacks");
  return words;
}

std::string ages_in_words(const Link& link) {
  std::string words = fmt::format("age p50 {}, p99 {}, max {}", in_ms(link.ages.p50),
                                  in_ms(link.ages.p99), in_ms(link.ages.max));
  if (link.max_latency.ns == 0) return words;
  words += fmt::format(" of {}", in_ms(link.max_latency));
  if (link.ages.too_old > 0) {
    words += fmt::format("; older at {}", record::counted(link.ages.too_old, "tick"));
  }
  return words;
}

std::string links_in_words(const Joined& joined, const Style& style) {
  std::string out;
  const int width = style.width - 1;
  for (const Link& link : joined.links) {
    out += fmt::format(" {} -> {}\n", link.from, link.to);
    const bool loses = link.lost > 0 || link.out_of_order > 0 || link.sent == 0;
    const std::string samples = "   " + wrapped(samples_in_words(link), width - 3, 3);
    out += (loses ? painted(samples, Colour::yellow, style) : samples) + '\n';
    if (link.ages.ticks > 0) {
      const std::string ages = "   " + wrapped(ages_in_words(link), width - 3, 3);
      out += (link.ages.too_old > 0 ? painted(ages, Colour::yellow, style) : ages) + '\n';
    }
    if (link.differences > 0) {
      out += painted(fmt::format("   {} not as sent\n", record::counted(link.differences, "value")),
                     Colour::red, style);
    }
  }
  return out;
}

std::string unheld_in_words(const Joined& joined) {
  std::string out;
  for (const join::Unheld& one : joined.unheld) {
    out += fmt::format(" {} -> {}: no recording of that node is given\n", one.from, one.to);
  }
  return out;
}

std::string difference_in_words(const Link& link, const Joined& joined) {
  const Difference& d = *link.first;
  const std::string_view sender = std::string_view(link.from).substr(0, link.from.find('.'));
  const std::string unit = link.unit.empty() ? "" : " " + link.unit;
  std::string words = fmt::format(
      "The first difference: {} received {}{} in frame {}, at {:.6f} s of its time, {:.6f} s after "
      "the first tick of all; ",
      link.to, d.received, unit, d.frame, d.t, seconds(d.at - joined.zero));
  if (!d.was_sent) {
    words += fmt::format(
        "it is said to have been sent {:.6f} s after that first tick, when {} sent nothing.",
        seconds(d.made - joined.zero), sender);
    return words;
  }
  words += fmt::format("{} was {} {} when it was sent in frame {} of {}", link.from, d.sent,
                       link.sent_unit, d.sent_in, sender);
  if (d.expected != d.sent) words += fmt::format(", which is {}{}", d.expected, unit);
  words += '.';
  if (d.fits_frame) {
    words += fmt::format(" What was received is of frame {} of {}.", *d.fits_frame, sender);
  }
  return words;
}

}  // namespace

std::string join_text(const Joined& joined, std::string_view command, const Style& style) {
  std::string out = title_line(fmt::format("{}, {} nodes", command, joined.nodes.size()), style);
  out += nodes_in_words(joined, style);
  out += part("Links", links_in_words(joined, style), style);
  out += part("Not among them", unheld_in_words(joined), style);
  const Link* const first = joined.first_difference();
  const std::string verdict = first != nullptr ? difference_in_words(*first, joined)
                                               : "What was received is what was sent, to the bit.";
  return out + '\n' +
         painted(" " + wrapped(verdict, style.width - 2, 1),
                 first != nullptr ? Colour::red : Colour::green, style) +
         '\n';
}

json::value join_json(const Joined& joined) {
  json::object all;
  all["nodes"] = array_of(joined.nodes, [&](const Joined::Node& node) {
    return json::object{{"node", node.name},
                        {"log", node.file},
                        {"frame_s", in_seconds(node.frame)},
                        {"first_tai_ns", node.first.ns},
                        {"last_tai_ns", node.last.ns},
                        {"missing_parts", node.missing},
                        {"notes", json::value_from(node.notes)}};
  });
  all["links"] = array_of(joined.links, link_in_json);
  all["not_given"] = array_of(joined.unheld, [](const join::Unheld& one) {
    return json::object{{"from", one.from}, {"to", one.to}};
  });
  const Link* const first = joined.first_difference();
  all["same"] = first == nullptr;
  all["first_difference"] = first != nullptr ? difference_in_json(*first) : json::value();
  return all;
}

}  // namespace hild::report
