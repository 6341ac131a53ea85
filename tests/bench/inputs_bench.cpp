// SPDX-License-Identifier: Apache-2.0
// What it costs to have the inputs of a pass at their nominal time: an image is taken 20 us late,
// as every image of a real run is, and inputs are wanted at the tick. On time nothing is worked
// out.
#include "cases.hpp"
#include "io/image_history.hpp"

namespace hild::bench {
namespace {

class Late {
 public:
  Late(std::size_t channels, int degree, int passes, Duration late)
      : images_(std::vector<io::SampledInput>(channels), 1, 60'000_ns),
        late_(late),
        degree_(degree),
        passes_(passes),
        u_(channels) {
    for (std::size_t i = 0; i < channels; ++i) images_.incoming()[i] = 0.1 * static_cast<double>(i);
  }
  void operator()(int items) {
    for (int i = 0; i < items; ++i) {
      tick_ += 1_ms;
      images_.incoming()[0] = u_[0] + 1;
      images_.instants()[0] = tick_ + late_;
      images_.accept();
      for (int pass = 0; pass < passes_; ++pass) {
        images_.at(tick_, {.within = degree_, .beyond = 0}, u_);
        benchmark::DoNotOptimize(u_.data());
        benchmark::ClobberMemory();
      }
    }
  }

 private:
  io::ImageHistory images_;
  Duration late_;
  int degree_;
  int passes_;
  MonoTime tick_{};
  std::vector<double> u_;
};

Make late(std::size_t channels, int degree, int passes, Duration by = 20_us) {
  return [=]() -> Work {
    return [late = std::make_shared<Late>(channels, degree, passes, by)](int items) {
      (*late)(items);
    };
  };
}

}  // namespace
}  // namespace hild::bench

int main(int count, char** arguments) {
  using hild::bench::late;
  hild::bench::Cases cases;
  for (const std::size_t channels : {1UL, 8UL, 108UL}) {
    for (const int passes : {0, 1}) {
      const auto name = [&](const char* what) {
        return std::string(what) + "_" + std::to_string(channels) + "_" + std::to_string(passes);
      };
      cases.add(name("cubic"), late(channels, 3, passes))
          .add(name("linear"), late(channels, 1, passes))
          .add(name("on_time"), late(channels, 3, passes, {}));
    }
  }
  return cases.main(count, arguments);
}
