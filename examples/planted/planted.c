#include "planted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static double cell(const struct truth_row *row, int column)
{
    return (double)(column == SIZE ? row->size : row->ns[column]);
}

static double mean(const struct truth_row *rows, int count, int column)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += cell(&rows[i], column);
    return sum / count;
}

static double covariance(const struct truth_row *rows, int count, int a, int b)
{
    double mean_a = mean(rows, count, a), mean_b = mean(rows, count, b), sum = 0;
    for (int i = 0; i < count; i++)
        sum += (cell(&rows[i], a) - mean_a) * (cell(&rows[i], b) - mean_b);
    return sum / (count - 1);
}

static double mean_of_type(const struct truth_row *rows, int count, const char *type, int *found)
{
    double sum = 0;
    *found = 0;
    for (int i = 0; i < count; i++)
        if (!strcmp(rows[i].type, type)) {
            sum += cell(&rows[i], LATENCY);
            ++*found;
        }
    return sum / *found;
}

/* What each request would differ from the mean by if all of a type were alike. */
static double between_types(const struct truth_row *rows, int count)
{
    double whole = mean(rows, count, LATENCY), sum = 0;
    for (int i = 0, found; i < count; i++) {
        double apart = mean_of_type(rows, count, rows[i].type, &found) - whole;
        sum += apart * apart;
    }
    return sum / (count - 1);
}

static void write_types(FILE *file, const struct truth_row *rows, int count)
{
    for (int i = 0; i < count; i++) {
        int found, first = 0;
        while (strcmp(rows[first].type, rows[i].type) != 0)
            first++;
        double of_type = mean_of_type(rows, count, rows[i].type, &found);
        if (first == i)
            fprintf(file, "%s\"%s\":{\"count\":%d,\"mean_ns\":%.17g}", i ? "," : "", rows[i].type,
                    found, of_type);
    }
}

/* How much of the variance goes with the size, and how much lies between the types. */
static void write_work(FILE *file, const struct truth_row *rows, int count)
{
    double whole = covariance(rows, count, LATENCY, LATENCY);
    double size = covariance(rows, count, SIZE, SIZE);
    double both = covariance(rows, count, SIZE, LATENCY), between = between_types(rows, count);
    fprintf(file, ",\"size\":{\"mean\":%.17g,\"slope_ns\":%.17g,\"explained\":%.6f}",
            mean(rows, count, SIZE), both / size, both * both / size / whole);
    fprintf(file, ",\"between_types_ns2\":%.17g,\"within_types_ns2\":%.17g,\"types\":{", between,
            whole - between);
    write_types(file, rows, count);
    fprintf(file, "}");
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
    fprintf(file, "}");
    if (rows[0].type)
        write_work(file, rows, count);
    fprintf(file, "}\n");
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
