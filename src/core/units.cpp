// SPDX-License-Identifier: Apache-2.0
#include "hild/core/units.hpp"

#include <udunits2.h>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace hild {
namespace {

using Unit = std::unique_ptr<ut_unit, decltype([](ut_unit* unit) { ut_free(unit); })>;
using Converter = std::unique_ptr<cv_converter, decltype([](cv_converter* c) { cv_free(c); })>;

/// The unit database, read once. UDUNITS keeps state while parsing: one thread at a time.
class Database {
 public:
  static Database& instance() {
    static Database database;
    return database;
  }

  [[nodiscard]] bool ready() const { return system_ != nullptr; }
  [[nodiscard]] const ut_unit* cycle() const { return cycle_.get(); }
  [[nodiscard]] Unit parse(std::string_view text) const {
    return Unit(ut_parse(system_, std::string(text).c_str(), UT_UTF8));
  }

 private:
  Database() {
    ut_set_error_message_handler(ut_ignore);
    system_ = ut_read_xml(nullptr);
    if (!ready()) return;
    keep_cycles_apart();
    map_symbol("Nm", "N m");
    map_symbol("deg", "degree");
    map_symbol("rev", "revolution");
    map_symbol("rpm", "revolution/minute");
    map_symbol("%", "0.01");
    map_symbol("Ah", "A hour");
    map_symbol("Wh", "W hour");
  }

  /// Makes the cycle a dimension of its own, and the hertz a cycle per second: in UDUNITS a cycle
  /// is 2 pi rad while a hertz is 1/s, so that 1 Hz would silently become 1 rad/s.
  void keep_cycles_apart() {
    for (const char* name : {"cycle", "cycles", "hertz", "hertzes"}) {
      ut_unmap_name_to_unit(system_, name, UT_ASCII);
    }
    ut_unmap_symbol_to_unit(system_, "Hz", UT_ASCII);
    cycle_.reset(ut_new_base_unit(system_));
    ut_map_name_to_unit("cycle", UT_ASCII, cycle_.get());
    ut_map_name_to_unit("cycles", UT_ASCII, cycle_.get());
    map_symbol("Hz", "cycle/second");
    const Unit hertz = parse("Hz");
    ut_map_name_to_unit("hertz", UT_ASCII, hertz.get());
  }

  /// Adds a spelling unless the database has it. Symbols, unlike names, take prefixes: `mNm`.
  void map_symbol(const char* symbol, const char* definition) {
    if (parse(symbol)) return;
    const Unit unit = parse(definition);
    ut_map_symbol_to_unit(symbol, UT_UTF8, unit.get());
  }

  ut_system* system_ = nullptr;
  Unit cycle_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A unit holds no numbers but exponents and a leading `1/`: UDUNITS would read `5 V` as a unit of
/// five volts, and `s since 2000` as a date.
bool looks_like_unit(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  const auto carries_exponent = [&](std::size_t i) {
    const char c = text[i];
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == ')' || c == '^';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '@' || static_cast<unsigned char>(c) < ' ') return false;
    if (!is_digit(c) || (i > 0 && is_digit(text[i - 1]))) continue;
    if (i == 0) {
      if (text != "1" && !text.starts_with("1/") && !text.starts_with("1 /")) return false;
    } else if (!carries_exponent(i - 1)) {
      const bool sign = text[i - 1] == '-' || text[i - 1] == '+';
      if (!sign || i < 2 || !carries_exponent(i - 2)) return false;
    }
  }
  return true;
}

std::string_view trim(std::string_view text) {
  return boost::algorithm::trim_copy_if(text, boost::algorithm::is_any_of(" \t"));
}

Result<Unit> parse_unit(std::string_view text) {
  const Database& database = Database::instance();
  if (!database.ready()) {
    return fail(ExitCode::fault, "the unit database of UDUNITS-2 cannot be read");
  }
  Unit unit = looks_like_unit(text) ? database.parse(text) : nullptr;
  if (!unit) return fail("\"{}\" is not a unit", text);
  return unit;
}

/// A change of unit: x factor, or the whole converter where zero moves (degC).
struct Conversion {
  double factor = 1;
  Converter shifted;

  [[nodiscard]] double operator()(double x) const {
    if (shifted) return cv_convert_double(shifted.get(), x);
    // Dividing by a whole number rounds once, multiplying by its rounded inverse twice.
    const double inverse = std::round(1 / factor);
    return factor < 1 && 1 / inverse == factor ? x / inverse : x * factor;
  }
};

/// UDUNITS multiplies prefixes up and loses an ulp or two; a factor that close to a whole number,
/// or to the inverse of one, is that number.
double tidy(double factor) {
  constexpr double near = 4 * std::numeric_limits<double>::epsilon();
  const double size = std::abs(factor) < 1 ? 1 / factor : factor;
  const double whole = std::round(size);
  if (std::abs(size - whole) > near * std::abs(size)) return factor;
  return std::abs(factor) < 1 ? 1 / whole : whole;
}

/// Why two units do not convert, with what to write where cycles meet radians.
tl::unexpected<Error> no_conversion(std::string_view from, std::string_view to,
                                    const ut_unit* ratio) {
  const ut_unit* cycle = Database::instance().cycle();
  const Unit less(ratio != nullptr ? ut_divide(ratio, cycle) : nullptr);
  const Unit more(ratio != nullptr ? ut_multiply(ratio, cycle) : nullptr);
  if ((less && ut_is_dimensionless(less.get()) != 0) ||
      (more && ut_is_dimensionless(more.get()) != 0)) {
    return fail(
        "\"{}\" does not become \"{}\": Hz counts cycles, and a cycle is neither 1 nor 1 rad here; "
        "angles and rates of turning are written in rad or rev (1 rev/s = 2 pi rad/s), plain rates "
        "in 1/s, frequencies in Hz",
        from, to);
  }
  return fail("\"{}\" does not convert to \"{}\"", from, to);
}

Result<Conversion> conversion(std::string_view from, std::string_view to) {
  if (from == to) {
    if (auto unit = parse_unit(from); !unit) return tl::make_unexpected(unit.error());
    return Conversion{};
  }
  const auto source = parse_unit(from);
  if (!source) return tl::make_unexpected(source.error());
  const auto target = parse_unit(to);
  if (!target) return tl::make_unexpected(target.error());
  // The ratio tells; ut_are_convertible() would also turn s into 1/s.
  const Unit ratio(ut_divide(source->get(), target->get()));
  if (!ratio || ut_is_dimensionless(ratio.get()) == 0) {
    return no_conversion(from, to, ratio.get());
  }
  Converter converter(ut_get_converter(source->get(), target->get()));
  if (!converter) return no_conversion(from, to, ratio.get());
  const double factor = cv_convert_double(converter.get(), 1);
  if (cv_convert_double(converter.get(), 0) != 0) return Conversion{factor, std::move(converter)};
  return Conversion{tidy(factor), nullptr};
}

/// What a unit consists of, as UDUNITS tells it piece by piece. Pieces live as long as the unit.
struct Pieces {
  const ut_unit* product = nullptr;  ///< without numbers
  std::vector<UnitInBase::Power> powers{};
};

void add_power(const ut_unit* base, int power, Pieces& pieces) {
  if (power == 0 || ut_is_dimensionless(base) != 0) return;
  const char* const symbol = ut_get_symbol(base, UT_ASCII);
  pieces.powers.push_back({symbol != nullptr ? symbol : "cycle", power});
}

ut_status visit_base(const ut_unit* unit, void* pieces) {
  static_cast<Pieces*>(pieces)->product = unit;
  add_power(unit, 1, *static_cast<Pieces*>(pieces));
  return UT_SUCCESS;
}
ut_status visit_product(const ut_unit* unit, int count, const ut_unit* const* bases,
                        const int* powers, void* pieces) {
  static_cast<Pieces*>(pieces)->product = unit;
  for (int i = 0; i < count; ++i) add_power(bases[i], powers[i], *static_cast<Pieces*>(pieces));
  return UT_SUCCESS;
}
ut_status visit_scaled(const ut_unit* /*unit*/, double /*scale*/, const ut_unit* underlying,
                       double /*origin*/, void* pieces);
ut_status visit_other(const ut_unit* /*unit*/, const ut_unit* /*time*/, double /*origin*/,
                      void* /*pieces*/) {
  return UT_MEANINGLESS;
}
ut_status visit_logarithm(const ut_unit* /*unit*/, double /*base*/, const ut_unit* /*reference*/,
                          void* /*pieces*/) {
  return UT_MEANINGLESS;
}
constexpr ut_visitor visitor{&visit_base, &visit_product, &visit_scaled, &visit_other,
                             &visit_logarithm};
ut_status visit_scaled(const ut_unit* /*unit*/, double /*scale*/, const ut_unit* underlying,
                       double /*origin*/, void* pieces) {
  return ut_accept_visitor(underlying, &visitor, pieces);
}

}  // namespace

Result<UnitInBase> unit_in_base(std::string_view text) {
  const auto unit = parse_unit(trim(text));
  if (!unit) return tl::make_unexpected(unit.error());
  Pieces pieces;
  const bool visited = ut_accept_visitor(unit->get(), &visitor, &pieces) == UT_SUCCESS;
  const Unit product(visited ? ut_clone(pieces.product) : nullptr);
  const Converter converter(product ? ut_get_converter(unit->get(), product.get()) : nullptr);
  if (!converter) return fail("\"{}\" is not a product of base units", text);
  std::ranges::sort(pieces.powers, {}, &UnitInBase::Power::base);
  const double offset = cv_convert_double(converter.get(), 0);
  const double factor = cv_convert_double(converter.get(), 1) - offset;
  return UnitInBase{std::move(pieces.powers), {offset == 0 ? tidy(factor) : factor, offset}};
}

Result<NumberAndUnit> split_quantity(std::string_view text) {
  const std::string_view whole = trim(text);
  std::string_view rest = whole;
  if (rest.starts_with('+') && !rest.starts_with("+-")) rest.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error == std::errc::result_out_of_range) return fail("\"{}\" is out of range", whole);
  if (error != std::errc{} || !std::isfinite(number)) {
    return fail("\"{}\" does not begin with a number", whole);
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  const std::string_view unit = trim(rest);
  if (unit.empty()) return NumberAndUnit{number, unit};
  const bool apart = rest.data() != unit.data() || unit == "%";
  if (!apart || !looks_like_unit(unit)) {
    return fail("\"{}\" is not a number, a space and a unit", whole);
  }
  return NumberAndUnit{number, unit};
}

Result<double> quantity(std::string_view text, std::string_view unit) {
  const auto parts = split_quantity(text);
  if (!parts) return tl::make_unexpected(parts.error());
  if (parts->unit.empty() && unit != "1") {
    return fail("the unit is missing: \"{} {}\"?", trim(text), unit);
  }
  const auto convert = conversion(parts->unit.empty() ? "1" : parts->unit, unit);
  if (!convert) return tl::make_unexpected(convert.error());
  const double value = (*convert)(parts->number);
  if (!std::isfinite(value)) return fail("\"{}\" is out of range in {}", trim(text), unit);
  return value;
}

Result<UnitConversion> unit_conversion(std::string_view from, std::string_view to) {
  const auto convert = conversion(trim(from), trim(to));
  if (!convert) return tl::make_unexpected(convert.error());
  if (!convert->shifted) return UnitConversion{convert->factor, 0};
  const double offset = (*convert)(0);
  return UnitConversion{(*convert)(1) - offset, offset};
}

Result<double> conversion_factor(std::string_view from, std::string_view to) {
  const auto convert = conversion(trim(from), trim(to));
  if (!convert) return tl::make_unexpected(convert.error());
  if (convert->shifted) {
    return fail("\"{}\" and \"{}\" differ by more than a factor", from, to);
  }
  return convert->factor;
}

}  // namespace hild
