#include "planted.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Marsaglia's xorshift with the shifts 13, 17 and 5. */
unsigned random_below(unsigned *state, unsigned bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % bound;
}

static double mean(const struct truth_row *rows, int count, int column)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)rows[i].ns[column];
    return sum / count;
}

static double covariance(const struct truth_row *rows, int count, int a, int b)
{
    double mean_a = mean(rows, count, a), mean_b = mean(rows, count, b), sum = 0;
    for (int i = 0; i < count; i++)
        sum += ((double)rows[i].ns[a] - mean_a) * ((double)rows[i].ns[b] - mean_b);
    return sum / (count - 1);
}

static void write_json(FILE *file, const char *const *names, int parts,
                       const struct truth_row *rows, int count)
{
    double whole = covariance(rows, count, LATENCY, LATENCY);
    fprintf(file, "{\"intervals\":%d,\"latency_variance_ns2\":%.17g,\"parts\":{", count, whole);
    for (int part = 1; part <= parts; part++) {
        double variance = covariance(rows, count, part, part);
        fprintf(file, "%s\"%s\":{\"variance_ns2\":%.17g,\"contribution\":%.6f}",
                part > 1 ? "," : "", names[part - 1], variance, variance / whole);
    }
    fprintf(file, "},\"covariance\":{");
    if (parts == 2) {
        double both = covariance(rows, count, 1, 2);
        fprintf(file, "\"%s,%s\":{\"covariance_ns2\":%.17g,\"contribution\":%.6f}", names[0],
                names[1], both, 2 * both / whole);
    }
    fprintf(file, "}}\n");
}

void truth_write(const char *const *names, int parts, const struct truth_row *rows, int count)
{
    double whole = covariance(rows, count, LATENCY, LATENCY);
    printf("%d requests, mean %.2f ms, variance %.2f ms2", count, mean(rows, count, LATENCY) / 1e6,
           whole / 1e12);
    for (int part = 1; part <= parts; part++)
        printf(", %s %.3f", names[part - 1], covariance(rows, count, part, part) / whole);
    printf(parts == 2 ? ", 2 Cov %.3f\n" : "\n", 2 * covariance(rows, count, 1, parts) / whole);
    const char *path = getenv("PLANTED_TRUTH");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (file) {
        write_json(file, names, parts, rows, count);
        fclose(file);
    }
}
