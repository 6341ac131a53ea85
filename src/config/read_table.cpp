// SPDX-License-Identifier: Apache-2.0
/// Lookup tables from CSV: a heading of names with units, then a row for each crossing of the axes.
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "config/sections.hpp"
#include "hild/core/csv.hpp"
#include "hild/core/units.hpp"
#include "hild/core/whole_file.hpp"
#include "model/tabulated/tabulated.hpp"

namespace hild::config {
namespace {

using model::TableData;

class TableReader {
 public:
  TableReader(const std::string& file, std::size_t axes) : file_(file), axes_(axes) {}

  Result<TableData> read() {
    const auto text = whole_file(file_);
    if (!text) return fail("cannot read {}: {}", file_, std::strerror(errno));
    for (CsvLines lines(*text); lines.next();) {
      const bool heading = columns_.empty();
      auto done = heading ? take_heading(lines) : take_row(lines);
      if (!done) return tl::make_unexpected(done.error());
    }
    if (rows_.empty()) return fail("{}: no rows of numbers", file_);
    return sorted();
  }

 private:
  struct Row {
    int line;
    std::vector<double> numbers;
  };

  // "speed [rad/s]"; without brackets it is a number without a unit.
  Result<void> take_heading(const CsvLines& lines) {
    for (const std::string& field : lines.fields()) {
      const std::size_t bracket = std::min(field.find('['), field.size());
      std::string name = field.substr(0, bracket);
      name.erase(name.find_last_not_of(' ') + 1);
      std::string unit = "1";
      if (bracket < field.size()) unit = field.substr(bracket + 1, field.size() - bracket - 2);
      if (bracket < field.size() && !field.ends_with(']')) name.clear();
      if (auto good = check_column(field, name, unit); !good) {
        return fail("{}:{}: {}", file_, lines.number(), good.error().message);
      }
      columns_.push_back({Name(name), Name(unit), {}});
    }
    if (columns_.size() > axes_) return {};
    return fail("{}:{}: found {} columns, expected {} of axes and at least one of values", file_,
                lines.number(), columns_.size(), axes_);
  }
  [[nodiscard]] Result<void> check_column(const std::string& heading, const std::string& name,
                                          const std::string& unit) const {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    const bool begins = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    if (!begins || name.size() > Name::capacity || !std::ranges::all_of(name, fits)) {
      return fail(
          "found the heading '{}', expected a name of letters, digits, _ and -, then its "
          "unit in brackets: speed [rad/s]",
          heading);
    }
    if (std::ranges::any_of(columns_, [&](const auto& c) { return c.name == name; })) {
      return fail("found '{}' twice, expected a name for each column", name);
    }
    const auto known = unit_conversion(unit, unit);
    if (known && unit.size() <= Name::capacity) return {};
    return fail("the unit of {}: {}", name, known ? "it is too long" : known.error().message);
  }

  Result<void> take_row(const CsvLines& lines) {
    const CsvFields& fields = lines.fields();
    if (fields.size() != columns_.size()) {
      return fail("{}:{}: found {} columns, expected {}", file_, lines.number(), fields.size(),
                  columns_.size());
    }
    Row row{lines.number(), {}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto number = quantity(fields[i], "1");
      if (!number) {
        return fail("{}:{}: {}: found '{}', expected a number", file_, lines.number(),
                    columns_[i].name.view(), fields[i]);
      }
      row.numbers.push_back(*number + 0.0);  // no -0: it is the same point as 0
    }
    rows_.push_back(std::move(row));
    return {};
  }

  // Rows may come in any order: they are brought into that of the crossings.
  Result<TableData> sorted() {
    const auto point = [this](const Row& row) { return std::span(row.numbers).first(axes_); };
    std::ranges::stable_sort(rows_, [&](const Row& a, const Row& b) {
      return std::ranges::lexicographical_compare(point(a), point(b));
    });
    const auto twin = std::ranges::adjacent_find(
        rows_, [&](const Row& a, const Row& b) { return std::ranges::equal(point(a), point(b)); });
    if (twin != rows_.end()) {
      return fail("{}:{}: the values at {} are in line {} already", file_, (twin + 1)->line,
                  words(point(*twin)), twin->line);
    }
    return complete();
  }
  Result<TableData> complete() {
    std::size_t crossings = 1;
    for (std::size_t a = 0; a < axes_; ++a) {
      std::vector<double>& points = columns_[a].numbers;
      for (const Row& row : rows_) points.push_back(row.numbers[a]);
      std::ranges::sort(points);
      points.erase(std::unique(points.begin(), points.end()), points.end());
      if (points.size() > rows_.size() / crossings) return tl::make_unexpected(missing(a));
      crossings *= points.size();
    }
    if (crossings != rows_.size()) return tl::make_unexpected(missing(axes_ - 1));
    TableData data;
    for (std::size_t i = axes_; i < columns_.size(); ++i) {
      for (const Row& row : rows_) columns_[i].numbers.push_back(row.numbers[i]);
      data.outputs.push_back(std::move(columns_[i]));
    }
    columns_.resize(axes_);
    data.axes = std::move(columns_);
    return data;
  }
  // A row for each crossing is what makes a table: tells of the first place that has none.
  [[nodiscard]] Error missing(std::size_t last) const {
    std::string sizes;
    for (std::size_t a = 0; a <= last; ++a) {
      sizes += fmt::format("{}{} of {}", a == 0 ? "" : ", ", columns_[a].numbers.size(),
                           columns_[a].name.view());
    }
    return fail("{}: found {} rows, expected one for each crossing of the points of the axes ({})",
                file_, rows_.size(), sizes)
        .value();
  }
  [[nodiscard]] std::string words(std::span<const double> point) const {
    std::string words;
    for (std::size_t a = 0; a < point.size(); ++a) {
      words += fmt::format("{}{} {}", a == 0 ? "" : ", ", columns_[a].name.view(), point[a]);
    }
    return words;
  }

  const std::string& file_;
  std::size_t axes_;
  std::vector<TableData::Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace

Model read_table(YamlOptions& section) {
  YamlOptions& table = section.section("table");
  const std::string file(table.path("file"));
  const auto axes = static_cast<std::size_t>(table.integer("axes", 1, 3, 1));
  TableData data = table.accept("file", TableReader(file, axes).read());
  data.name = Name("table");
  data.options.between =
      table.choice("between", {"linear", "smooth", "monotone"}, model::Between::linear);
  data.options.outside = table.choice("outside", {"clamp", "extrapolate"}, model::Outside::clamp);
  auto tables = model::make_tabulated(std::move(data));
  if (!tables) table.reject("file", fmt::format("{}: {}", file, tables.error().message));
  Model read;
  read.type = "table";
  read.file = file;
  read.advances = false;
  read.description = model::description_of(**tables);
  read.make_system = [all = *tables] { return model::make_system(all); };
  read.make = [all = *tables](const numerics::Method& method) {
    return model::make_stepper(all, method);
  };
  return read;
}

}  // namespace hild::config
