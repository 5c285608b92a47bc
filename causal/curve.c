#include "causal/curve.h"

#include <math.h>

/* A piece is a straight line over some of the points. */
struct piece {
    double at_0, slope; /* y = at_0 + slope * x */
    uint32_t first, end;
};

struct trial {
    struct piece pieces[CURVE_KINKS + 1];
    uint32_t count;
    double squares;
    bool convex;
};

static double weight(const struct curve_point *point)
{
    return 1 / (point->error * point->error);
}

/* The first piece goes through (0, 1). */
static struct piece first_piece(const struct curve_point *points, uint32_t end)
{
    double xx = 0, xy = 0;
    for (uint32_t i = 0; i < end; i++) {
        xx += weight(&points[i]) * points[i].x * points[i].x;
        xy += weight(&points[i]) * points[i].x * (points[i].y - 1);
    }
    return (struct piece){1, xx > 0 ? xy / xx : 0, 0, end};
}

static struct piece later_piece(const struct curve_point *points, uint32_t first, uint32_t end)
{
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (uint32_t i = first; i < end; i++) {
        double wi = weight(&points[i]);
        w += wi, x += wi * points[i].x, y += wi * points[i].y;
        xx += wi * points[i].x * points[i].x, xy += wi * points[i].x * points[i].y;
    }
    double spread = w * xx - x * x;
    double slope = end - first > 1 && spread > 0 ? (w * xy - x * y) / spread : 0;
    return (struct piece){(y - slope * x) / w, slope, first, end};
}

/* Where two lines meet. */
static double meet(const struct piece *a, const struct piece *b)
{
    return (b->at_0 - a->at_0) / (a->slope - b->slope);
}

/* A convex curve of straight pieces is the greatest of their lines. */
static double greatest(const struct trial *trial, double x)
{
    double y = -INFINITY;
    for (uint32_t p = 0; p < trial->count; p++)
        y = fmax(y, trial->pieces[p].at_0 + trial->pieces[p].slope * x);
    return y;
}

static double squares_of(const struct trial *trial, const struct curve_point *points,
                         uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        double off = points[i].y - greatest(trial, points[i].x);
        sum += weight(&points[i]) * off * off;
    }
    return sum;
}

/* Each piece falls less than the one before, which it meets later than that one met its own. A first piece without
 * points has no slope yet. */
static bool is_convex(const struct trial *trial, const struct curve_point *points, uint32_t count)
{
    double last = 0;
    for (uint32_t p = 1; p < trial->count; p++) {
        const struct piece *before = &trial->pieces[p - 1], *piece = &trial->pieces[p];
        if (before->end == 0)
            continue;
        if (piece->slope <= before->slope)
            return false;
        double at = meet(before, piece);
        if (at <= last || at >= points[count - 1].x)
            return false;
        last = at;
    }
    return true;
}

static struct trial try_pieces(const struct curve_point *points, uint32_t count,
                               const uint32_t *ends, uint32_t pieces)
{
    struct trial trial = {.count = pieces};
    for (uint32_t p = 0; p < pieces; p++) {
        trial.pieces[p] =
            p ? later_piece(points, ends[p - 1], ends[p]) : first_piece(points, ends[0]);
        if (p == 0 && ends[0] == 0)
            trial.pieces[0].slope = -1 / points[0].x; /* below all that a point can be */
    }
    trial.squares = squares_of(&trial, points, count);
    trial.convex = is_convex(&trial, points, count);
    return trial;
}

static void keep_better(struct trial *best, struct trial trial)
{
    if (trial.convex && (best->count == 0 || trial.squares < best->squares))
        *best = trial;
}

/* A last piece of one point has no slope of its own: it is level, which the points have to allow. */
static struct trial best_of(const struct curve_point *points, uint32_t count, uint32_t pieces)
{
    struct trial best = {.count = 0};
    uint32_t ends[CURVE_KINKS + 1] = {count, count, count};
    if (pieces == 1)
        return try_pieces(points, count, ends, 1);
    for (uint32_t a = 0; a < count; a++)
        if (pieces == 2) {
            ends[0] = a;
            keep_better(&best, try_pieces(points, count, ends, 2));
        } else {
            for (uint32_t b = a + 1; b < count; b++) {
                ends[0] = a, ends[1] = b;
                keep_better(&best, try_pieces(points, count, ends, 3));
            }
        }
    return best;
}

/* Before the first point the line falls by its whole x at the most: nothing is faster than without
 * the target. */
static struct curve_kink early_kink(const struct piece *after, const struct curve_point *first)
{
    double least = (1 - after->at_0) / (1 + after->slope);
    return (struct curve_kink){fmax(0, fmin(least, first->x)), first->x};
}

static struct curve curve_of(const struct trial *trial, const struct curve_point *points,
                             uint32_t count)
{
    const struct piece *last = &trial->pieces[trial->count - 1];
    struct curve curve = {.pieces = trial->count,
                          .end = last->at_0 + last->slope * points[count - 1].x};
    for (uint32_t p = 0; p < trial->count; p++)
        curve.slopes[p] = trial->pieces[p].slope;
    for (uint32_t p = 1; p < trial->count; p++) {
        const struct piece *before = &trial->pieces[p - 1], *piece = &trial->pieces[p];
        double at = before->end ? meet(before, piece) : 0;
        curve.kinks[p - 1] = before->end ? (struct curve_kink){at, at} : early_kink(piece, points);
        if (!before->end)
            curve.slopes[0] = (piece->at_0 + piece->slope * points[0].x - 1) /
                              points[0].x; /* at least so steep */
    }
    return curve;
}

struct curve curve_fit(const struct curve_point *points, uint32_t count)
{
    if (!count || count > CURVE_MOST_POINTS)
        return (struct curve){.pieces = 0};
    struct trial best = best_of(points, count, 1);
    for (uint32_t pieces = 2; pieces <= CURVE_KINKS + 1 && pieces <= count; pieces++) {
        struct trial trial = best_of(points, count, pieces);
        if (trial.count && trial.squares + CURVE_WORTH * (pieces - best.count) < best.squares)
            best = trial;
    }
    return curve_of(&best, points, count);
}

double curve_at(const struct curve *curve, double x)
{
    double y = 1, from = 0;
    for (uint32_t p = 0; p < curve->pieces; p++) {
        double to = p + 1 < curve->pieces ? curve->kinks[p].to : INFINITY;
        double until = x < to ? x : to;
        if (until > from)
            y += curve->slopes[p] * (until - from);
        from = to;
    }
    return y;
}
