/* Gap, and gradient of gap and slip (along -x), of the two lower corners of a unit square: plug-ins in the form that
   Siconos asks for. Matrices are stored by columns. As in siconos_rocking_block.cpp, of the two requests in a step the
   first, for a place that the block would reach without contacts, is passed over: the gradient is that at the start. */
#include <math.h>

struct Corner {
  double side;
  int requests; /* of the gap, in this step */
  double gradient_normal, gradient_tangential;
};
static struct Corner left = {-1, 2, 0, 0}, right = {1, 2, 0, 0};

void start(void) { left.requests = right.requests = 2; }

static void gap(struct Corner* corner, const double* q, double* y) {
  corner->requests = corner->requests % 2 + 1;
  y[0] = q[1] + corner->side * 0.5 * sin(q[2]) - 0.5 * cos(q[2]);
}

static void gradient(struct Corner* corner, const double* q, double* g) {
  if (corner->requests == 2) {
    corner->gradient_normal = corner->side * 0.5 * cos(q[2]) + 0.5 * sin(q[2]);
    corner->gradient_tangential = corner->side * 0.5 * sin(q[2]) - 0.5 * cos(q[2]);
  }
  g[0] = 0;
  g[1] = -1;
  g[2] = 1;
  g[3] = 0;
  g[4] = corner->gradient_normal;
  g[5] = corner->gradient_tangential;
}

void left_gap(unsigned sizeq, const double* q, unsigned sizey, double* y, unsigned sizez, double* z) {
  gap(&left, q, y);
}
void right_gap(unsigned sizeq, const double* q, unsigned sizey, double* y, unsigned sizez, double* z) {
  gap(&right, q, y);
}
void left_gradient(unsigned sizeq, const double* q, unsigned sizey, double* g, unsigned sizez, double* z) {
  gradient(&left, q, g);
}
void right_gradient(unsigned sizeq, const double* q, unsigned sizey, double* g, unsigned sizez, double* z) {
  gradient(&right, q, g);
}
