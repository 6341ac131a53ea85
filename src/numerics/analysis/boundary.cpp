// SPDX-License-Identifier: Apache-2.0
// The boundary as the contour radius = 1 over a grid: whatever the shape, the number of pieces and
// the root that is to blame.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "numerics/analysis/stability.hpp"

namespace hild::analysis {
namespace {

struct Box {
  double left, right, top;
};

class Grid {
 public:
  // The lowest row lies on the real axis, where every region is cut in half.
  Grid(const Roots& roots, Box box, int nx, int ny) : roots_(roots), box_(box), nx_(nx), ny_(ny) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) stable_.push_back(stable(at(i, j)));
    }
  }

  [[nodiscard]] Complex at(int i, int j) const {
    return {box_.left + (box_.right - box_.left) * i / nx_, box_.top * j / ny_};
  }
  [[nodiscard]] bool inside(int i, int j) const {
    return stable_[static_cast<std::size_t>(j * (nx_ + 1) + i)];
  }
  [[nodiscard]] bool stable(Complex mu) const { return roots_.radius(mu) <= 1; }

  // An edge between neighbours, one of which is stable.
  struct Edge {
    int i, j;
    bool up;  // to (i, j + 1), else to (i + 1, j)
    auto operator<=>(const Edge&) const = default;
  };
  [[nodiscard]] Complex crossing(Edge e) const {
    Complex in = at(e.i, e.j);
    Complex out = e.up ? at(e.i, e.j + 1) : at(e.i + 1, e.j);
    if (!inside(e.i, e.j)) std::swap(in, out);
    while (std::abs(in - out) > 1e-7) {
      const Complex middle = 0.5 * (in + out);
      (stable(middle) ? in : out) = middle;
    }
    return in;
  }

  [[nodiscard]] std::vector<Curve> contours() const;
  [[nodiscard]] Box extent() const;

 private:
  using Links = std::multimap<Edge, Edge>;
  [[nodiscard]] Links links() const;
  [[nodiscard]] Curve follow(Links& links, Edge from) const;

  const Roots& roots_;
  Box box_;
  int nx_;
  int ny_;
  std::vector<bool> stable_;
};

// Edges crossed within one cell belong together. Where all four are, either pairing is a boundary.
Grid::Links Grid::links() const {
  Links links;
  for (int j = 0; j < ny_; ++j) {
    for (int i = 0; i < nx_; ++i) {
      std::array<Edge, 4> crossed{};
      std::size_t count = 0;
      const auto look = [&](bool a, bool b, Edge edge) {
        if (a != b) crossed[count++] = edge;
      };
      look(inside(i, j), inside(i + 1, j), {i, j, false});
      look(inside(i + 1, j), inside(i + 1, j + 1), {i + 1, j, true});
      look(inside(i, j + 1), inside(i + 1, j + 1), {i, j + 1, false});
      look(inside(i, j), inside(i, j + 1), {i, j, true});
      for (std::size_t k = 0; k + 1 < count; k += 2) {
        links.emplace(crossed[k], crossed[k + 1]);
        links.emplace(crossed[k + 1], crossed[k]);
      }
    }
  }
  return links;
}

Curve Grid::follow(Links& links, Edge from) const {
  Curve curve{crossing(from)};
  for (auto next = links.find(from); next != links.end(); next = links.find(from)) {
    const Edge to = next->second;
    links.erase(next);
    const auto [first, last] = links.equal_range(to);
    const auto back = std::find_if(first, last, [&](const auto& l) { return l.second == from; });
    if (back != last) links.erase(back);
    curve.push_back(crossing(to));
    from = to;
  }
  return curve;
}

// Curves that end first, so that none begins in its middle; then the closed ones.
std::vector<Curve> Grid::contours() const {
  Links all = links();
  std::vector<Edge> ends;
  for (auto it = all.begin(); it != all.end(); it = all.upper_bound(it->first)) {
    if (all.count(it->first) == 1) ends.push_back(it->first);
  }
  std::vector<Curve> curves;
  for (const Edge end : ends) {
    if (all.contains(end)) curves.push_back(follow(all, end));
  }
  while (!all.empty()) curves.push_back(follow(all, all.begin()->first));
  return curves;
}

Box Grid::extent() const {
  Box found{0, 0, 0};
  for (int j = 0; j <= ny_; ++j) {
    for (int i = 0; i <= nx_; ++i) {
      if (!inside(i, j)) continue;
      found.left = std::min(found.left, at(i, j).real());
      found.right = std::max(found.right, at(i, j).real());
      found.top = std::max(found.top, at(i, j).imag());
    }
  }
  return found;
}

}  // namespace

std::vector<Curve> stability_boundary(const Roots& roots, double window) {
  const Grid coarse(roots, {-window, window, window}, 96, 48);
  const double cell = window / 48;
  const Box rough = coarse.extent();
  // Room for cusps between the lines of the coarse grid. No line of the fine one runs along the
  // imaginary axis, which is the boundary of some.
  const Box box{rough.left - 2.03 * cell, rough.right + 2.07 * cell, rough.top + 2.05 * cell};
  return Grid(roots, box, 180, 120).contours();
}

}  // namespace hild::analysis
