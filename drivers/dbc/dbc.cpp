// SPDX-License-Identifier: Apache-2.0
#include "drivers/dbc/dbc.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "drivers/can/identifiers.hpp"
#include "drivers/dbc/attributes.hpp"
#include "drivers/dbc/multiplexing.hpp"
#include "drivers/dbc/scanner.hpp"

namespace hild::can {
namespace {

constexpr std::uint64_t extended_flag = 0x80000000U;
constexpr std::uint64_t independent_signals = 0xc0000000U;  // the id of what is no message
constexpr std::string_view nobody = "Vector__XXX";
constexpr int most_length = static_cast<int>(most_bytes);

/// Words that begin a section, and so end a list of names.
constexpr std::array<std::string_view, 27> sections{"VERSION",       "NS_",
                                                    "BS_",           "BU_",
                                                    "VAL_TABLE_",    "BO_",
                                                    "SG_",           "BO_TX_BU_",
                                                    "EV_",           "CM_",
                                                    "BA_DEF_",       "BA_DEF_DEF_",
                                                    "BA_",           "VAL_",
                                                    "SIG_GROUP_",    "SG_MUL_VAL_",
                                                    "SIG_VALTYPE_",  "ENVVAR_DATA_",
                                                    "EV_DATA_",      "SGTYPE_",
                                                    "SGTYPE_VAL_",   "BA_DEF_REL_",
                                                    "BA_REL_",       "BA_DEF_DEF_REL_",
                                                    "SIG_TYPE_REF_", "BA_DEF_SGTYPE_",
                                                    "BA_SGTYPE_"};

bool is_section(std::string_view word) {
  return std::ranges::find(sections, word) != sections.end();
}

std::string node_of(std::string_view word) {
  return word == nobody ? std::string() : std::string(word);
}

/// Ranges in order, those that touch as one.
std::vector<RawRange> merged(std::vector<RawRange> ranges) {
  std::ranges::sort(ranges, {}, &RawRange::first);
  std::vector<RawRange> out;
  for (const RawRange& range : ranges) {
    if (!out.empty() && range.first <= out.back().last) {
      out.back().last = std::max(out.back().last, range.last);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

// ---- names and places --------------------------------------------------------------------------

/// Where messages and signals are that have been read. Views are of the text.
class Index {
 public:
  /// By the id that a file has, with its flag.
  [[nodiscard]] std::optional<std::size_t> message(std::uint64_t id) const { return in(ids_, id); }
  [[nodiscard]] std::optional<std::size_t> message(std::string_view name) const {
    return in(names_, name);
  }
  [[nodiscard]] std::optional<std::size_t> signal(std::size_t message,
                                                  std::string_view name) const {
    return in(signals_, std::pair(message, name));
  }
  void add_message(std::uint64_t id, std::string_view name, std::size_t place) {
    ids_.emplace(id, place);
    names_.emplace(name, place);
  }
  void add_signal(std::size_t message, std::string_view name, std::size_t place) {
    signals_.emplace(std::pair(message, name), place);
  }

 private:
  template <class Map>
  static std::optional<std::size_t> in(const Map& map, const typename Map::key_type& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  }

  std::map<std::uint64_t, std::size_t> ids_;
  std::map<std::string_view, std::size_t> names_;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> signals_;
};

// ---- one signal --------------------------------------------------------------------------------

/// What a line of SG_ says, and where.
struct SignalLine {
  std::string_view name;
  Mark mark;
  std::uint32_t start = 0;
  std::uint32_t length = 0;
};

/// M, m12 or m12M.
Mark mark_of(Scanner& in) {
  const int line = in.line();
  std::string_view word = in.word("M, m with a value, or ':'");
  const std::string_view all = word;
  Mark mark;
  if (word.ends_with('M')) {
    mark.is_switch = true;
    word.remove_suffix(1);
  }
  if (word.empty()) return mark;
  std::uint64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data() + (word[0] == 'm' ? 1 : 0), end, value);
  if (word[0] != 'm' || problem != std::errc{} || stop != end) {
    in.refuse(line, "expected M, m with a value of a switch (m0, m0M) or ':', found '{}'",
              shown(all));
  }
  mark.value = value;
  return mark;
}

/// "(factor,offset) [minimum|maximum]"
void read_scale(Scanner& in, Signal& signal) {
  in.expect('(', "before the factor");
  signal.layout.factor = in.number("the factor, a finite number");
  in.expect(',', "between factor and offset");
  signal.layout.offset = in.number("the offset, a finite number");
  in.expect(')', "behind the offset");
  in.expect('[', "before the minimum");
  Limits limits;
  limits.minimum = in.number("the minimum, a finite number");
  in.expect('|', "between minimum and maximum");
  limits.maximum = in.number("the maximum, a finite number");
  in.expect(']', "behind the maximum");
  if (limits.minimum < limits.maximum) signal.limits = limits;
}

/// "start|length@order sign (factor,offset) [minimum|maximum] "unit" receivers"
void read_signal(Scanner& in, SignalLine& line, Signal& signal) {
  line.name = in.word("the signal's name");
  signal.name = line.name;
  if (in.at_word()) line.mark = mark_of(in);
  in.expect(':', "behind the signal's name");
  line.start = in.integer<std::uint32_t>("the signal's first bit");
  in.expect('|', "between first bit and length");
  line.length = in.integer<std::uint32_t>("the signal's length in bits");
  in.expect('@', "behind the length");
  if (in.take('0')) {
    signal.layout.order = ByteOrder::big_endian;
  } else if (!in.take('1')) {
    in.expected("the byte order, 0 (Motorola) or 1 (Intel)");
  }
  signal.layout.is_signed = in.take('-');
  if (!signal.layout.is_signed && !in.take('+')) in.expected("+ (unsigned) or - (signed)");
  read_scale(in, signal);
  signal.unit = utf8_of(in.quoted("the unit in quotes"));
  while (in.more_in_line()) {
    if (in.take(',')) continue;
    const std::string_view receiver = in.word("a receiver");
    if (receiver != nobody && !receiver.empty()) signal.receivers.emplace_back(receiver);
  }
}

/// Refuses what does not lie in its message, or is no number.
void check_signal(Scanner& in, const SignalLine& line, Signal& signal, const Message& message) {
  const auto refuse = [&]<class... Args>(fmt::format_string<Args...> text, Args&&... args) {
    in.refuse(signal.line, "signal '{}' of message '{}' {}", signal.name, message.name,
              fmt::format(text, std::forward<Args>(args)...));
  };
  if (line.length < 1 || line.length > 64) {
    return refuse("has {} bits; expected 1 to 64", line.length);
  }
  if (line.start >= most_bytes * 8) {
    return refuse("begins with bit {}; expected 0 to {}", line.start, most_bytes * 8 - 1);
  }
  Layout& layout = signal.layout;
  layout.start = static_cast<std::uint16_t>(line.start);
  layout.length = static_cast<std::uint16_t>(line.length);
  const std::size_t needed = bytes_of(layout);
  if (needed > static_cast<std::size_t>(message.length)) {
    return refuse("reaches into byte {}; expected it within the {} bytes of its message",
                  needed - 1, message.length);
  }
  if (layout.factor == 0) return refuse("has the factor 0; expected another, 1 for raw values");
  const double largest =
      std::ldexp(std::abs(layout.factor), static_cast<int>(line.length)) + std::abs(layout.offset);
  if (!std::isfinite(largest)) {
    refuse(
        "has the factor {}, by which its largest value is more than a double holds; expected a "
        "smaller one",
        layout.factor);
  }
}

// ---- the file ----------------------------------------------------------------------------------

class Reader {
 public:
  Reader(std::string_view text, std::string_view file_name) : in_(text, file_name) {}

  Result<Database> read() {
    while (in_.more()) {
      if (in_.take(';')) continue;
      const int begun = in_.line();
      section(in_.word("a section (BO_, SG_, VAL_, CM_, BA_, ...)"), begun);
    }
    if (!in_.failed()) finish();
    if (in_.failed()) return tl::make_unexpected(in_.error());
    return std::move(database_);
  }

 private:
  using Section = void (Reader::*)();
  struct Known {
    std::string_view name;
    Section read;
  };

  void section(std::string_view name, int begun) {
    static constexpr std::array known{
        Known{"VERSION", &Reader::version},     Known{"NS_", &Reader::new_symbols},
        Known{"BS_", &Reader::bit_timing},      Known{"BU_", &Reader::nodes},
        Known{"VAL_TABLE_", &Reader::table},    Known{"BO_", &Reader::message},
        Known{"SG_", &Reader::signal},          Known{"BO_TX_BU_", &Reader::senders},
        Known{"BA_DEF_", &Reader::definition},  Known{"BA_DEF_DEF_", &Reader::attribute_default},
        Known{"BA_", &Reader::attribute},       Known{"VAL_", &Reader::named_values},
        Known{"SIG_VALTYPE_", &Reader::number}, Known{"SG_MUL_VAL_", &Reader::selection},
    };
    const auto* const found = std::ranges::find(known, name, &Known::name);
    if (found != known.end()) return (this->*found->read)();
    in_.skip_section(name, begun);
  }

  void version() { database_.version = utf8_of(in_.quoted("the version in quotes")); }

  void new_symbols() {
    in_.expect(':', "behind NS_");
    for (std::string_view word; in_.take_lone_word(word);) {
    }
  }

  void bit_timing() {
    in_.expect(':', "behind BS_");
    in_.skip_line();
  }

  void nodes() {
    in_.expect(':', "behind BU_");
    while (in_.at_word() && !is_section(in_.word_ahead())) {
      database_.nodes.emplace_back(in_.word("a node"));
    }
  }

  // ---- messages ----

  std::uint64_t message_id() { return in_.integer<std::uint64_t>("the identifier of a message"); }

  void message() {
    Message message;
    message.line = in_.line();
    const std::uint64_t id = message_id();
    const std::string_view name = in_.word("the message's name");
    message.name = name;
    in_.expect(':', "behind the message's name");
    const auto length = in_.integer<std::uint32_t>("the message's length in bytes");
    message.sender = node_of(in_.word("the message's sender"));
    skipped_ = id == independent_signals;
    if (skipped_ || in_.failed()) return;
    message.extended = (id & extended_flag) != 0;
    message.id = static_cast<std::uint32_t>(id & last_extended_id);
    const std::uint64_t last = message.extended ? last_extended_id : last_standard_id;
    if ((id & ~extended_flag) > last) {
      return in_.refuse(message.line,
                        "message '{}' has the identifier {}; expected 0 to {}, or with 2147483648 "
                        "added 0 to {} (29 bits)",
                        name, id, last_standard_id, last_extended_id);
    }
    if (length > most_bytes) {
      return in_.refuse(message.line, "message '{}' has {} bytes; expected 0 to {}", name, length,
                        most_bytes);
    }
    message.length = std::min(static_cast<int>(length), most_length);
    add(id, name, std::move(message));
  }

  void add(std::uint64_t id, std::string_view name, Message message) {
    const auto other = places_.message(id);
    if (other) {
      const Message& first = database_.messages[*other];
      return in_.refuse(message.line,
                        "message '{}' has the identifier {} of message '{}' (line {}); expected "
                        "one of its own",
                        name, message.id, first.name, first.line);
    }
    if (const auto same = places_.message(name)) {
      return in_.refuse(message.line,
                        "a second message '{}' (the first is in line {}); expected "
                        "another name",
                        name, database_.messages[*same].line);
    }
    if (database_.messages.size() == most_dbc_messages) {
      return in_.refuse(message.line, "more than {} messages; expected fewer: split the file",
                        most_dbc_messages);
    }
    places_.add_message(id, name, database_.messages.size());
    database_.messages.push_back(std::move(message));
    marks_.emplace_back();
  }

  void signal() {
    SignalLine line;
    Signal signal;
    signal.line = in_.line();
    if (database_.messages.empty() && !skipped_) {
      return in_.refuse(signal.line, "a signal before any message; expected a BO_ above it");
    }
    read_signal(in_, line, signal);
    if (skipped_ || in_.failed()) return;
    const std::size_t place = database_.messages.size() - 1;
    Message& message = database_.messages.back();
    if (const auto first = places_.signal(place, line.name)) {
      return in_.refuse(signal.line,
                        "a second signal '{}' in message '{}' (the first is in line {}); expected "
                        "another name",
                        signal.name, message.name, message.signals[*first].line);
    }
    check_signal(in_, line, signal, message);
    if (in_.failed()) return;
    places_.add_signal(place, line.name, message.signals.size());
    message.signals.push_back(std::move(signal));
    marks_.back().push_back(line.mark);
  }

  void senders() {
    const auto place = places_.message(message_id());
    in_.expect(':', "behind the identifier");
    while (in_.at_word() || in_.peek() == ',') {
      if (in_.take(',')) continue;
      const std::string_view node = in_.word("a node");
      if (place && node != nobody) database_.messages[*place].other_senders.emplace_back(node);
    }
    in_.expect(';', "behind the nodes");
  }

  // ---- what is said of messages and signals ----

  /// "id signal"; null, and nothing said, where the file has none.
  Signal* known_signal(std::uint64_t id, std::string_view name) {
    const auto message = places_.message(id);
    const auto place = message ? places_.signal(*message, name) : std::nullopt;
    return place ? &database_.messages[*message].signals[*place] : nullptr;
  }
  /// The same where it must be there; null with an error, or for a message that was skipped.
  Signal* needed_signal(std::uint64_t id, std::string_view name, std::string_view section,
                        int line) {
    Signal* const found = known_signal(id, name);
    if (found == nullptr && id != independent_signals) {
      in_.refuse(line,
                 "{} is of signal '{}' of message {}, and there is none; expected a signal "
                 "of this file",
                 section, name, id);
    }
    return found;
  }

  void definition() { attributes_.define(in_); }
  void attribute_default() { attributes_.set_default(in_); }

  void attribute() {
    const int begun = in_.line();
    const std::string_view name = in_.quoted("the attribute's name");
    const std::string_view of = in_.word_ahead();
    if (of == "BO_") {
      in_.word("BO_");
      const auto message = places_.message(message_id());
      return attributes_.set(in_, name, message);
    }
    if (of == "SG_") {
      in_.word("SG_");
      const std::uint64_t id = message_id();
      return attributes_.set(in_, name, known_signal(id, in_.word("a signal's name")));
    }
    in_.skip_section("BA_", begun);
  }

  NamedValues values_here() {
    NamedValues values;
    while (!in_.failed() && in_.peek() != ';') {
      const std::int64_t value = in_.count("a raw value, or ';'");
      values.push_back({value, utf8_of(in_.quoted("the word for the value, in quotes"))});
    }
    in_.expect(';', "behind the values");
    return values;
  }

  void table() {
    const std::string_view name = in_.word("the name of the table");
    tables_[name] = std::make_shared<const NamedValues>(values_here());
  }

  void named_values() {
    const int begun = in_.line();
    if (in_.at_word()) return in_.skip_section("VAL_", begun);  // of an environment variable
    const std::uint64_t id = message_id();
    Signal* const signal = known_signal(id, in_.word("a signal's name"));
    std::shared_ptr<const NamedValues> values;
    if (in_.at_word()) {
      const int line = in_.line();
      const std::string_view name = in_.word("the name of a table");
      const auto found = tables_.find(name);
      if (found == tables_.end()) {
        return in_.refuse(line, "no table '{}'; expected a VAL_TABLE_ of that name above", name);
      }
      values = found->second;
      in_.expect(';', "behind the name of the table");
    } else {
      values = std::make_shared<const NamedValues>(values_here());
    }
    if (signal != nullptr && !values->empty()) signal->values = std::move(values);
  }

  void number() {
    const int line = in_.line();
    const std::uint64_t id = message_id();
    const std::string_view name = in_.word("a signal's name");
    in_.take(':');
    const auto kind = in_.integer<std::uint32_t>("0 (integer), 1 (float) or 2 (double)");
    in_.expect(';', "behind the number");
    if (in_.failed()) return;
    Signal* const signal = needed_signal(id, name, "SIG_VALTYPE_", line);
    if (signal == nullptr) return;
    if (kind > 2) {
      return in_.refuse(line,
                        "signal '{}' is of the kind {}; expected 0 (integer), 1 (float) or 2 "
                        "(double)",
                        name, kind);
    }
    const unsigned bits = kind == 1 ? 32 : 64;
    if (kind != 0 && signal->layout.length != bits) {
      return in_.refuse(line, "signal '{}' (line {}) has {} bits and is a {}; expected {} bits",
                        name, signal->line, signal->layout.length, kind == 1 ? "float" : "double",
                        bits);
    }
    signal->layout.number = std::array{Number::integer, Number::float32, Number::float64}[kind];
  }

  void selection() {
    const int line = in_.line();
    const std::uint64_t id = message_id();
    const std::string_view name = in_.word("a signal's name");
    const std::string_view by = in_.word("its switch");
    std::vector<RawRange> ranges;
    do {
      RawRange range;
      range.first = in_.integer<std::uint64_t>("the first of a range of raw values");
      in_.expect('-', "in a range of raw values");
      range.last = in_.integer<std::uint64_t>("the last of a range of raw values");
      if (range.last < range.first) {
        in_.refuse(line, "the range {}-{} of signal '{}' is empty; expected the lower value first",
                   range.first, range.last, name);
      }
      ranges.push_back(range);
    } while (in_.take(','));
    in_.expect(';', "behind the ranges");
    if (in_.failed()) return;
    Signal* const signal = needed_signal(id, name, "SG_MUL_VAL_", line);
    if (signal != nullptr) select(*signal, *places_.message(id), by, merged(ranges), line);
  }

  void select(Signal& signal, std::size_t message, std::string_view by,
              std::vector<RawRange> ranges, int line) {
    const auto place = places_.signal(message, by);
    if (!place || !marks_[message][*place].is_switch) {
      return in_.refuse(line,
                        "the switch '{}' of signal '{}' is {}; expected a signal of message "
                        "'{}' that is marked M",
                        by, signal.name, place ? "not marked M" : "no signal",
                        database_.messages[message].name);
    }
    if (signal.multiplexing.switched_by) {
      return in_.refuse(line, "a second SG_MUL_VAL_ of signal '{}'; expected all ranges in one",
                        signal.name);
    }
    signal.multiplexing.switched_by = *place;
    signal.multiplexing.values = std::move(ranges);
  }

  void finish() {
    for (std::size_t i = 0; i < marks_.size() && !in_.failed(); ++i) {
      Message& message = database_.messages[i];
      for (std::size_t k = 0; k < marks_[i].size(); ++k) {
        message.signals[k].multiplexing.is_switch = marks_[i][k].is_switch;
      }
      settle_multiplexing(in_, message, marks_[i]);
    }
    if (!in_.failed()) attributes_.apply(in_, database_);
  }

  Scanner in_;
  Database database_;
  Index places_;
  std::vector<std::vector<Mark>> marks_;  // of the signals of the messages
  bool skipped_ = false;                  // the signals that follow are of no message
  std::map<std::string_view, std::shared_ptr<const NamedValues>> tables_;
  Attributes attributes_;
};

}  // namespace

Result<Database> read_dbc(std::string_view text, std::string_view file_name) {
  if (text.size() > most_dbc_bytes) {
    return fail("{}:1: the file has {} bytes; expected at most {}: split it", file_name,
                text.size(), most_dbc_bytes);
  }
  return Reader(text, file_name).read();
}

}  // namespace hild::can
