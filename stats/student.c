#include "stats/student.h"

#include <math.h>

/* The result is P(|T| <= sqrt(freedom) tan(angle)): a sum over every other power of the cosine,
 * each term from the one before. */
static double student_inside(double angle, unsigned freedom)
{
    unsigned odd = freedom & 1;
    double cosine = cos(angle), term = odd ? cosine : 1, sum = 0;
    for (unsigned power = odd; power + 2 <= freedom; power += 2) {
        sum += term;
        term *= cosine * cosine * (power + 1) / (power + 2);
    }
    sum *= sin(angle);
    return odd ? 2 / M_PI * (angle + sum) : sum;
}

double student_beyond(double outside, unsigned freedom)
{
    double low = 0, high = M_PI / 2;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (1 - student_inside(middle, freedom) > outside)
            low = middle;
        else
            high = middle;
    }
    return sqrt((double)freedom) * tan((low + high) / 2);
}

double student_outside(double t, unsigned freedom)
{
    return fmax(0, 1 - student_inside(atan(t / sqrt((double)freedom)), freedom));
}
