// SPDX-License-Identifier: Apache-2.0
/// Images of the inputs, and the polynomial through them.
#include "io/image_history.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hild::test {
namespace {

using io::ImageHistory;
using io::SampledInput;

MonoTime after(double milliseconds) { return MonoTime{1'000'000} + part(1_ms, milliseconds); }

void sample(ImageHistory& images, double at, std::initializer_list<double> values) {
  std::ranges::copy(values, images.incoming().begin());
  for (MonoTime& instant : images.instants()) instant = after(at);
  images.accept();
}

std::vector<double> inputs_at(const ImageHistory& images, double at, ImageHistory::Degrees d) {
  std::vector<double> u(images.size());
  images.at(after(at), d, u);
  return u;
}

std::vector<double> carried_to(const ImageHistory& images, double at, int degree) {
  return inputs_at(images, at, {degree, degree});
}

ImageHistory one_input(Duration spacing = 0_us) {
  return ImageHistory(std::vector<SampledInput>(1), 1, spacing);
}

double cubic(double t) { return 1 + t * (2 + t * (-3 + t * 0.5)); }

// Images at instants of no grid at all: a polynomial of each degree goes through one of its own,
// and comes no nearer to one of the next.
TEST(ImageHistory, GivesPolynomialsOfItsDegreeExactly) {
  constexpr std::array instants{0.0, 0.7, 1.9, 3.02};
  for (const int degree : {1, 2, 3}) {
    ImageHistory images = one_input();
    const auto power = [](double t, int of) { return std::pow(t - 1.3, of); };
    for (const double t : instants) sample(images, t, {power(t, degree)});
    for (const double t : {2.0, 2.9, 3.0199}) {
      EXPECT_NEAR(inputs_at(images, t, {degree, 0})[0], power(t, degree), 1e-12) << degree;
      EXPECT_GT(std::abs(inputs_at(images, t, {degree - 1, 0})[0] - power(t, degree)), 1e-5);
    }
    EXPECT_NEAR(inputs_at(images, 3.5, {0, degree})[0], power(3.5, degree), 1e-11) << degree;
  }
}

// What lies beyond the newest image is a matter of its own.
TEST(ImageHistory, HoldsBeyondTheNewestImageUnlessItIsToCarryOn) {
  ImageHistory images = one_input();
  for (const double t : {0.0, 1.0, 2.0, 3.0}) sample(images, t, {cubic(t)});
  EXPECT_EQ(inputs_at(images, 3.4, {3, 0})[0], cubic(3));
  EXPECT_NEAR(inputs_at(images, 2.6, {3, 0})[0], cubic(2.6), 1e-12);
  EXPECT_NEAR(inputs_at(images, 3.4, {3, 1})[0], cubic(3) + 0.4 * (cubic(3) - cubic(2)), 1e-12);
}

// On time there is nothing to work out, and what does not change is the same to the last bit.
TEST(ImageHistory, KeepsBitsWhereThereIsNothingToInterpolate) {
  ImageHistory images(std::vector<SampledInput>(2), 1, 0_us);
  for (const double t : {0.0, 1.013, 2.002, 3.031}) sample(images, t, {std::exp(t), 0.1});
  EXPECT_EQ(inputs_at(images, 3.031, {3, 3})[0], std::exp(3.031));
  for (const double t : {2.5, 3.0, 3.03}) EXPECT_EQ(inputs_at(images, t, {3, 0})[1], 0.1);
}

TEST(ImageHistory, TakesAsManyImagesAsThereAre) {
  ImageHistory images = one_input();
  sample(images, 0, {1});
  EXPECT_EQ(inputs_at(images, -0.5, {3, 3})[0], 1);
  sample(images, 1, {3});
  EXPECT_NEAR(inputs_at(images, 0.5, {3, 3})[0], 2, 1e-15);
  sample(images, 2, {9});
  EXPECT_NEAR(inputs_at(images, 1.5, {3, 3})[0], 1 + 1.5 * 2 + 2 * 1.5 * 0.5, 1e-14);
}

// Of t^2 the chord through 1 and 2.05, not that through 2 and 2.05, which would multiply noise by
// forty.
TEST(ImageHistory, ImagesCloseTogetherCountAsOne) {
  ImageHistory images = one_input(100_us);
  for (const double t : {0.0, 1.0, 2.0, 2.05}) sample(images, t, {t * t});
  EXPECT_EQ(images.newest_time(0), after(2.05));
  EXPECT_EQ(images.newest()[0], 2.05 * 2.05);
  const double slope = 1 + 2.05;
  EXPECT_NEAR(carried_to(images, 3, 1)[0], 1 + slope * (3 - 1), 1e-12);
}

// The same images, but further apart than what counts as one.
TEST(ImageHistory, ImagesFurtherApartAreTwo) {
  ImageHistory images = one_input(40_us);
  for (const double t : {0.0, 1.0, 2.0, 2.05}) sample(images, t, {t * t});
  const double slope = 2 + 2.05;
  EXPECT_NEAR(carried_to(images, 3, 1)[0], 4 + slope * (3 - 2), 1e-12);
}

// Through images 10 us apart a cubic one ms further on would be noise alone.
TEST(ImageHistory, TakesALowerDegreeWhereNoiseWouldGrow) {
  ImageHistory images = one_input();
  for (const double t : {0.0, 0.01, 0.02, 1.0}) sample(images, t, {t < 1 ? 0.001 : 0});
  // The cubic's weights at 1.5 are beyond a thousand, those of the line through 0.02 and 1 are not.
  EXPECT_NEAR(carried_to(images, 1.5, 3)[0], -0.001 * 0.5 / 0.98, 1e-9);
}

// A digital line is what it was, beside one that is carried on.
TEST(ImageHistory, ThoseThatAreHeldAreNeverCarriedOn) {
  ImageHistory images({{}, {.held = true}}, 1, 0_us);
  sample(images, 0, {0, 0});
  sample(images, 1, {1, 1});
  EXPECT_EQ(carried_to(images, 1.5, 1), (std::vector<double>{1.5, 1}));
  EXPECT_EQ(carried_to(images, 0.5, 1), (std::vector<double>{0.5, 1}));
}

// A fast group and one of every third image: each has its own four.
TEST(ImageHistory, EveryGroupHasAHistoryOfItsOwn) {
  ImageHistory images({{.group = 1}, {.group = 0}, {.group = 1}}, 2, 0_us);
  MonoTime slow{};
  double s = 0;
  for (int i = 0; i <= 12; ++i) {
    if (i % 3 == 0) {
      slow = after(i);
      s = i;
    }
    std::ranges::copy(std::array{cubic(s), cubic(i), -cubic(s)}, images.incoming().begin());
    images.instants()[0] = after(i);
    images.instants()[1] = slow;
    images.accept();
    EXPECT_EQ(images.newest_time(), after(i));
  }
  const auto u = inputs_at(images, 11.5, {3, 0});
  EXPECT_NEAR(u[0], cubic(11.5), 1e-9);
  EXPECT_NEAR(u[1], cubic(11.5), 1e-11);
  EXPECT_NEAR(u[2], -cubic(11.5), 1e-9);
}

// One that is on time does not make the others so.
TEST(ImageHistory, EveryGroupIsCarriedOnByItself) {
  ImageHistory images({{.group = 0}, {.group = 1}}, 2, 0_us);
  for (const double t : {0.0, 1.0}) sample(images, t, {t, 10 * t});
  std::ranges::copy(std::array{2.0, 10.0}, images.incoming().begin());
  images.instants()[0] = after(2);
  images.instants()[1] = after(1);
  images.accept();
  EXPECT_EQ(inputs_at(images, 2, {1, 1}), (std::vector<double>{2, 20}));
  EXPECT_EQ(inputs_at(images, 2, {1, 0}), (std::vector<double>{2, 10}));
}

// For hours: no image that is needed is given away, none is kept for ever.
TEST(ImageHistory, GroupsThatComeAsTheyLikeKeepTheirImages) {
  constexpr std::size_t groups = 5;
  std::vector<SampledInput> inputs;
  for (std::size_t g = 0; g < groups; ++g)
    inputs.push_back({.group = g, .jump = g == 2 ? 3.0 : 1e9});
  ImageHistory images(inputs, groups, 10_us);
  std::array<std::vector<std::pair<double, double>>, groups> kept;
  std::uint32_t random = 1;
  for (int i = 0; i < 20'000; ++i) {
    for (std::size_t g = 0; g < groups; ++g) {
      random = random * 1664525 + 1013904223;
      const double t = i + 0.3 * static_cast<double>(g) / groups;
      auto& history = kept[g];
      if (history.empty() || (random >> 20U) % (g + 1) == 0) {
        const double value = static_cast<double>((random >> 8U) % 100) * (g == 2 ? 0.1 : 1);
        if (g == 2 && !history.empty() && std::abs(value - history.back().second) > 3) {
          history.clear();
        }
        history.emplace_back(t, value);
        if (history.size() > 4) history.erase(history.begin());
      }
      images.incoming()[g] = history.back().second;
      images.instants()[g] = after(history.back().first);
    }
    images.accept();
    const auto u = inputs_at(images, i - 0.1, {1, 0});
    for (std::size_t g = 0; g < groups; ++g) {
      const auto [t1, v1] = kept[g].back();
      const auto [t0, v0] = kept[g][kept[g].size() - std::min<std::size_t>(kept[g].size(), 2)];
      const double line = v1 + (i - 0.1 - t1) * (v1 - v0) / (t1 > t0 ? t1 - t0 : 1);
      const bool within = i - 0.1 < t1;
      const double slope = t1 > t0 ? (t1 - (i - 0.1)) / (t1 - t0) : 0;
      if (std::abs(slope) > 30) continue;  // a lower degree may do
      ASSERT_NEAR(u[g], within ? line : v1, 1e-4 * (1 + std::abs(line))) << i << ' ' << g;
    }
  }
}

// Nothing goes across a jump: behind it the history begins anew.
TEST(ImageHistory, EndsAtAJump) {
  ImageHistory images({{.jump = 2}, {}}, 1, 0_us);
  sample(images, 0, {0, 0});
  sample(images, 1, {1, 1});
  sample(images, 2, {5, 2});
  EXPECT_EQ(inputs_at(images, 1.9, {3, 3}), (std::vector<double>{5, 2}));
  sample(images, 3, {6, 3});
  EXPECT_NEAR(inputs_at(images, 2.5, {3, 3})[0], 5.5, 1e-15);
}

TEST(ImageHistory, ForgetsWhatItIsToldTo) {
  ImageHistory images({{.group = 0}, {.group = 1}}, 2, 0_us);
  for (const double t : {0.0, 1.0, 2.0}) sample(images, t, {t, t});
  images.forget(1);
  EXPECT_EQ(inputs_at(images, 1.5, {1, 1}), (std::vector<double>{1.5, 2}));
  images.clear();
  sample(images, 3, {3, 3});
  EXPECT_EQ(inputs_at(images, 2.5, {1, 1}), (std::vector<double>{3, 3}));
}

// 4 % of a frame late, taken as if on time.
TEST(ImageHistory, ARuleMayTakeImagesAsTheyCome) {
  const ImageHistory::Rule rule{.degrees = {3, 1}, .as_taken = true};
  EXPECT_EQ(rule.at(after(2), after(2)).within, 0);
  EXPECT_EQ(rule.at(after(2), after(2)).beyond, 1);
  EXPECT_EQ(rule.at(after(1), after(2)).within, 3) << "of what runs behind on purpose";
  EXPECT_EQ((ImageHistory::Rule{.degrees = {3, 1}}.at(after(2), after(2)).within), 3);
}

}  // namespace
}  // namespace hild::test
