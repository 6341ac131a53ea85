// SPDX-License-Identifier: Apache-2.0
/// \file
/// Simulated time is 0 at the first tick, for the frames as for what arrives at the inputs: a run
/// and `hild simulate` of one configuration tell the same story, from the first frame on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cli/main/program.hpp"

namespace hild::test {
namespace {

struct Spring {
  Folder folder;
  std::string image = folder.image();

  [[nodiscard]] std::string file(int rate, const std::string& source) const {
    return folder.file(fmt::format("spring_{}.yaml", rate),
                       fmt::format("frame: {{rate: {} Hz}}\n"
                                   "model: {{type: spring-mass-damper, parameters: "
                                   "{{damping: 0.4 N s/m, stiffness: 4 N/m}}}}\n"
                                   "integrator: {{method: rtrk-4, sampling: stage}}\n"
                                   "devices: {{daq: {{driver: sim, image: {}}}}}\n"
                                   "inputs: {{force: {{device: daq, channel: 0, resolution: 0, "
                                   "scale: 1 N/V, source: {}}}}}\n",
                                   rate, image, source));
  }
};

/// A column of a table: time and value.
std::vector<std::pair<double, double>> column(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const auto index =
      std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(line.find(name)), ',');
  std::vector<std::pair<double, double>> all;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    const auto at = static_cast<std::size_t>(index);
    if (cells.size() > at && !cells[at].empty()) {
      all.emplace_back(std::stod(cells[0]), std::stod(cells[at]));
    }
  }
  return all;
}

/// What a recorded offline run made of it.
std::vector<std::pair<double, double>> run(const Spring& spring, const std::string& file,
                                           const std::string& name) {
  const std::string log = spring.folder.path("run.mcap");
  const Ended ran = hild({"run", file, "--offline", "--duration", "2", "--set",
                          "record={file: " + log + ", replace: true}"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(hild({"replay", log}).code, 0) << "images of before the first tick are recorded too";
  const Ended exported = hild({"export", log, "--format", "csv"});
  EXPECT_EQ(exported.code, 0) << exported.err;
  return column(exported.out, name);
}

TEST(TimeAxis, AStepActsInTheFrameOfItsTime) {
  const Spring spring;
  const auto force =
      run(spring, spring.file(100, "{step: {before: 0 V, after: 1 V, at: 500 ms}}"), "input.force");
  ASSERT_EQ(force.size(), 200U);
  for (const auto& [t, newtons] : force) EXPECT_EQ(newtons, t < 0.5 ? 0 : 1) << t;
}

// The largest difference of the positions from those of a reference.
double difference(const Spring& spring, int rate) {
  const std::string file =
      spring.file(rate, "{sine: {amplitude: 1 V, frequency: 1 Hz, phase: 1 rad}}");
  const auto ran = run(spring, file, "state.position");
  const Ended simulated = hild({"simulate", file, "--duration", "2", "--rtol", "1e-12", "--atol",
                                "1e-14", "--interval", fmt::format("{} ms", 1000.0 / rate)});
  EXPECT_EQ(simulated.code, 0) << simulated.err;
  const auto exact = column(simulated.out, "state.position");
  EXPECT_EQ(exact.size(), static_cast<std::size_t>(2 * rate + 1));
  EXPECT_EQ(ran.size(), static_cast<std::size_t>(2 * rate));  // of the ends of its steps
  double most = 0;
  for (std::size_t i = 0; i < ran.size() && i + 1 < exact.size(); ++i) {
    EXPECT_NEAR(ran[i].first, exact[i + 1].first, 1e-12);
    most = std::max(most, std::abs(ran[i].second - exact[i + 1].second));
  }
  return most;
}

TEST(TimeAxis, ARunConvergesToTheReferenceAtTheOrderOfItsMethod) {
  const Spring spring;
  const double coarse = difference(spring, 50);
  const double fine = difference(spring, 100);
  EXPECT_LT(coarse, 1e-6);
  EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " -> " << fine;
}

}  // namespace
}  // namespace hild::test
