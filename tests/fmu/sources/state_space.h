/* SPDX-License-Identifier: Apache-2.0 */
/* x' = A x + B u, y = x, with arrays: x (0, 2), x' (2, 2), A (4, 2 x 2, rows first), B (8, 2), u (10). */
#define NX 2
#define SIZE_OF(vr) ((vr) == 4 ? 4 : (vr) == 10 ? 1 : 2)
static void start(M* m) {
  const double a[4] = {0, 1, -1, 0};
  for (int k = 0; k < 4; ++k) m->r[4 + k] = a[k];
  m->r[0] = 1;
  m->r[9] = 1;
}
static void derivatives(M* m) {
  double* r = m->r;
  r[2] = r[4] * r[0] + r[5] * r[1] + r[8] * r[10];
  r[3] = r[6] * r[0] + r[7] * r[1] + r[9] * r[10];
}
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) { (void)m; }
static int check(M* m) { return (void)m, 0; }
