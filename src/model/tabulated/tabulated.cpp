// SPDX-License-Identifier: Apache-2.0
#include "model/tabulated/tabulated.hpp"

#include <array>
#include <utility>
#include <variant>

namespace hild::model {

class Tabulated {
 public:
  static Result<std::shared_ptr<const Tabulated>> make(TableData data) {
    auto made = std::make_shared<Tabulated>();
    Result<void> done;
    if (data.axes.size() == 1) done = made->take_tables<1>(data);
    if (data.axes.size() == 2) done = made->take_tables<2>(data);
    if (data.axes.size() == 3) done = made->take_tables<3>(data);
    if (data.axes.empty() || data.axes.size() > 3) {
      return fail("found {} axes, expected 1 to 3", data.axes.size());
    }
    if (!done) return tl::make_unexpected(done.error());
    made->describe(std::move(data));
    return made;
  }

  [[nodiscard]] const Description& description() const noexcept { return description_; }

  /// Puts what the tables say at the inputs `u` into `y`; `near` is where the last search ended.
  void look_up(System::In u, std::array<std::size_t, 3>& near, System::Out y) const noexcept {
    std::visit([&](const auto& tables) { look_up(tables, u, near, y); }, tables_);
  }

 private:
  template <std::size_t N>
  Result<void> take_tables(const TableData& data) {
    std::array<std::span<const double>, N> axes;
    for (std::size_t a = 0; a < N; ++a) axes[a] = data.axes[a].numbers;
    std::vector<Table<N>> tables;
    for (const auto& output : data.outputs) {
      auto table = Table<N>::make(axes, output.numbers, data.options);
      if (!table) return fail("{}: {}", output.name.view(), table.error().message);
      tables.push_back(std::move(*table));
    }
    tables_ = std::move(tables);
    return {};
  }
  void describe(TableData data) {
    data_ = std::move(data);
    for (const auto& axis : data_.axes) {
      const double start = axis.numbers.front();
      inputs_.push_back({axis.name.view(), axis.unit.view(), start});
    }
    for (const auto& output : data_.outputs) {
      outputs_.push_back({output.name.view(), output.unit.view()});
      for (const auto& axis : data_.axes) {
        feedthrough_.push_back({output.name.view(), axis.name.view()});
      }
    }
    description_ = {.name = data_.name.view(),
                    .summary = "outputs looked up over inputs",
                    .inputs = inputs_,
                    .outputs = outputs_,
                    .feedthrough = feedthrough_};
  }
  template <std::size_t N>
  static void look_up(const std::vector<Table<N>>& tables, System::In u,
                      std::array<std::size_t, 3>& near, System::Out y) noexcept {
    std::array<double, N> at{};
    std::array<std::size_t, N> search{};
    for (std::size_t a = 0; a < N; ++a) {
      at[a] = u[a];
      search[a] = near[a];
    }
    for (std::size_t i = 0; i < tables.size(); ++i) y[i] = tables[i].value(at, search);
    for (std::size_t a = 0; a < N; ++a) near[a] = search[a];
  }

  TableData data_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Feedthrough> feedthrough_;
  Description description_;
  std::variant<std::vector<Table<1>>, std::vector<Table<2>>, std::vector<Table<3>>> tables_;
};

namespace {

class TabulatedSystem final : public System {
 public:
  explicit TabulatedSystem(std::shared_ptr<const Tabulated> tables) : tables_(std::move(tables)) {}

  [[nodiscard]] const Description& description() const noexcept override {
    return tables_->description();
  }
  void set_initial(In /*states*/) override {}
  void start(Out /*x*/) noexcept override {}
  void set_parameter(std::size_t /*i*/, double /*value*/) noexcept override {}
  [[nodiscard]] double parameter(std::size_t /*i*/) const noexcept override { return 0; }
  void derivatives(double /*t*/, In /*x*/, In /*u*/, Out /*dx*/) noexcept override {}
  void outputs(double /*t*/, In /*x*/, In u, Out y) noexcept override {
    tables_->look_up(u, near_, y);
  }

 private:
  std::shared_ptr<const Tabulated> tables_;
  std::array<std::size_t, 3> near_{};  // of no account for what is found
};

class TabulatedStepper final : public Stepper {
 public:
  TabulatedStepper(std::shared_ptr<const Tabulated> tables, const numerics::Method& method)
      : Stepper(system_), system_(std::move(tables)), method_(&method), passes_{{0.0}} {}

  [[nodiscard]] const numerics::Method& method() const noexcept override { return *method_; }
  const Passes& begin(SimTime /*t*/, Duration /*h*/) noexcept override { return passes_; }
  void pass(int /*pass*/, In /*u*/) noexcept override {}
  void finish() noexcept override {}
  void rewind() noexcept override {}
  void restart(Restart /*from*/) noexcept override {}
  void transfer(Archive& /*archive*/, int /*made*/) noexcept override {}
  [[nodiscard]] Out states() noexcept override { return {}; }
  [[nodiscard]] StepStart step_start() const noexcept override { return {}; }

 private:
  TabulatedSystem system_;
  const numerics::Method* method_;
  Passes passes_;
};

}  // namespace

Result<std::shared_ptr<const Tabulated>> make_tabulated(TableData data) {
  return Tabulated::make(std::move(data));
}

const Description& description_of(const Tabulated& tables) { return tables.description(); }

std::unique_ptr<System> make_system(std::shared_ptr<const Tabulated> tables) {
  return std::make_unique<TabulatedSystem>(std::move(tables));
}

std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const Tabulated> tables,
                                      const numerics::Method& method) {
  return std::make_unique<TabulatedStepper>(std::move(tables), method);
}

}  // namespace hild::model
