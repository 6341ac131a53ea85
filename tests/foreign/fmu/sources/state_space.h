/* SPDX-License-Identifier: Apache-2.0 */
/* x' = A x + B u, y = x, with arrays of n (7, of whole numbers) up to 4: x (0), x' (4), A (8, n x n, rows first),
 * B (24), u (28). By itself x = (1, 0, ...) turns: A moves on from each state to the next, back from the last. */
#define NX 4
#define STATES(m) ((m)->i[7])
#define SIZE_OF(m, vr) \
  (size_t)((vr) == 8 ? (m)->i[7] * (m)->i[7] : (vr) == 28 ? 1 : (m)->i[7])
static void start(M* m) {
  const long long n = m->i[7] == 0 ? 2 : m->i[7];
  memset(m->r, 0, sizeof m->r);
  m->i[7] = n;
  m->r[0] = 1;
  for (long long k = 0; k + 1 < n; ++k) m->r[8 + k * n + k + 1] = 1;
  m->r[8 + (n - 1) * n] = -1;
  m->r[24 + n - 1] = 1;
}
static void derivatives(M* m) {
  double* r = m->r;
  const long long n = m->i[7];
  for (long long k = 0; k < n; ++k) {
    r[4 + k] = r[24 + k] * r[28];
    for (long long c = 0; c < n; ++c) r[4 + k] += r[8 + k * n + c] * r[c];
  }
}
static void indicators(M* m, double* z) { (void)m, (void)z; }
static void discrete(M* m) { (void)m; }
static int check(M* m) { return m->i[7] >= 1 && m->i[7] <= 4 ? 0 : 3; }
