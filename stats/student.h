/* student.h - Student's t for any level.
 *
 *     student_beyond(0.05, 19)        2.093: P(|T| > 2.093) is 0.05 with 19 degrees of freedom
 *     student_outside(2.093, 19)      0.05
 *
 * From the finite sums for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4). No
 * state, no errors: 0 < outside < 1, freedom >= 1.
 */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

double student_beyond(double outside, unsigned freedom);
/* P(|T| > t) for t >= 0; what is less than about 1e-15 may be 0. */
double student_outside(double t, unsigned freedom);

#endif
