/* SPDX-License-Identifier: Apache-2.0 */
/* Heat along a rod of NX elements, from u (2 NX) at one end to zero at the other:
 * x_i' = 1000 (x_(i-1) - 2 x_i + x_(i+1)). What REALS there are is defined beside NX. */
#define SLOPES
static void start(M* m) {
  for (int i = 0; i < NX; ++i) m->r[i] = 1;
  m->r[2 * NX] = 0;
}
static void derivatives(M* m) {
  const double* x = m->r;
  for (int i = 0; i < NX; ++i) {
    double sum = -2.0 * x[i];
    sum += i > 0 ? x[i - 1] : m->r[2 * NX];
    if (i + 1 < NX) sum += x[i + 1];
    m->r[NX + i] = 1e3 * sum;
  }
}
static double slope(const M* m, unsigned of, unsigned to) {
  const unsigned i = of - NX;
  (void)m;
  return i == to ? -2e3 : i + 1 == to || to + 1 == i ? 1e3 : 0;
}
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) { (void)m; }
static int check(M* m) { return (void)m, 0; }
