/* SPDX-License-Identifier: Apache-2.0 */
/* As src/model/builtin/van_der_pol.cpp: x, v; their derivatives; mu (4), drive (5). */
#define NX 2
static void start(M* m) {
  m->r[0] = 2;
  m->r[4] = 1;
}
static void derivatives(M* m) {
  double* r = m->r;
  r[2] = r[1];
  r[3] = r[4] * (1.0 - r[0] * r[0]) * r[1] - r[0] + r[5];
}
#define SLOPES
static double slope(M* m, unsigned of, unsigned to) {
  const double* r = m->r;
  if (of == 2) return to == 1;
  return to == 0 ? -2.0 * r[4] * r[0] * r[1] - 1.0 : r[4] * (1.0 - r[0] * r[0]);
}
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) { (void)m; }
static int check(M* m) { return (void)m, 0; }
