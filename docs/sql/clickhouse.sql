-- What every server of a ClickHouse cluster needs for the results of many hosts (docs/fleet.md). Once:
--     clickhouse-client --query "CREATE DATABASE vprofiler"
--     clickhouse-client --database vprofiler --multiquery < clickhouse.sql
-- Tried with 18.16: no recursion, no window, no function of a later version.
--
-- A result's intervals go to one server, whichever. A server adds up what it has, the one that was asked
-- adds up the sums: no row travels. Nodes of different results are one where their paths are one.

-- ---- as exported; empty again after clickhouse_load.sql

CREATE TABLE new_intervals (`interval` Int64, host String, pid Int64, tid Int64, type String,
                            begin_ns Int64, latency_ns Int64) ENGINE = Memory;
CREATE TABLE new_nodes (node Int64, parent Nullable(Int64), kind String, name String, file String,
                        line Int64, height Int64, blamed Int64, calls Int64, path String)
    ENGINE = Memory;
CREATE TABLE new_cells (`interval` Int64, node Int64, own_ns Int64, latency_ns Int64)
    ENGINE = Memory;

-- ---- kept

CREATE TABLE intervals (run UInt64, `interval` Int64, host String, pid Int64, tid Int64, type String,
                        begin_ns Int64, latency_ns Int64)
    ENGINE = MergeTree ORDER BY (run, `interval`);
CREATE TABLE nodes (run UInt64, id String, parent String, kind String, name String, file String,
                    line Int64, height Int64, blamed Int64, calls Int64)
    ENGINE = MergeTree ORDER BY (run, id);
-- The children of one node that an interval touches, in the order of their ids; of the root: ''.
CREATE TABLE families (run UInt64, `interval` Int64, parent String, latency_ns Int64,
                       ids Array(String), ns Array(Int64))
    ENGINE = MergeTree ORDER BY (run, `interval`, parent);

-- ---- what a server adds up

CREATE VIEW spans AS
SELECT run, `interval`, parent, latency_ns, id, x
FROM families ARRAY JOIN ids AS id, ns AS x;

CREATE VIEW pairs AS
SELECT run, `interval`, parent, a, b, x, y
FROM (SELECT run, `interval`, parent, a, x, arraySlice(ids, i + 1) AS later,
             arraySlice(ns, i + 1) AS later_ns
      FROM families ARRAY JOIN ids AS a, ns AS x, arrayEnumerate(ids) AS i)
ARRAY JOIN later AS b, later_ns AS y;

CREATE TABLE all_intervals AS intervals ENGINE = Distributed(vprofiler, vprofiler, intervals);
CREATE TABLE all_nodes AS nodes ENGINE = Distributed(vprofiler, vprofiler, nodes);
CREATE TABLE all_spans (run UInt64, `interval` Int64, parent String, latency_ns Int64, id String,
                        x Int64)
    ENGINE = Distributed(vprofiler, vprofiler, spans);
CREATE TABLE all_pairs (run UInt64, `interval` Int64, parent String, a String, b String, x Int64,
                        y Int64)
    ENGINE = Distributed(vprofiler, vprofiler, pairs);

-- ---- exact sums: whole numbers of up to 38 digits; what does not fit in 128 bits is an error

CREATE VIEW whole AS
SELECT toDecimal128(count(), 0) AS n, sum(toDecimal128(latency_ns, 0)) AS total,
       sum(toDecimal128(latency_ns, 0) * toDecimal128(latency_ns, 0)) AS square,
       n * square - total * total AS spread
FROM all_intervals;

-- The least of what results call a node: a call that is a function's in another, the first line.
CREATE VIEW node_names AS
SELECT id, any(parent) AS parent, min(kind) AS kind, any(name) AS name, min((file, line)) AS place
FROM all_nodes GROUP BY id;

CREATE VIEW node_sums AS
SELECT id, sum(sum) AS sum, sum(square) AS square, sum(latency) AS latency
FROM (SELECT id, sum(toDecimal128(x, 0)) AS sum, sum(toDecimal128(x, 0) * toDecimal128(x, 0)) AS square,
             sum(toDecimal128(x, 0) * toDecimal128(latency_ns, 0)) AS latency
      FROM all_spans GROUP BY id
      UNION ALL  -- a node that took no time in any interval has no span
      SELECT id, toDecimal128(0, 0), toDecimal128(0, 0), toDecimal128(0, 0) FROM node_names)
GROUP BY id;

CREATE VIEW pair_sums AS
SELECT a, b, sum(product) AS product
FROM (SELECT a, b, sum(toDecimal128(x, 0) * toDecimal128(y, 0)) AS product
      FROM all_pairs GROUP BY a, b
      UNION ALL  -- siblings that no interval has both of
      SELECT a, b, toDecimal128(0, 0)
      FROM (SELECT parent, id AS a FROM node_names WHERE parent != '')
      ALL INNER JOIN (SELECT parent, id AS b FROM node_names) USING parent
      WHERE a < b)
GROUP BY a, b;

-- ---- quotients of them. n^2 times a covariance is n * sum(x*y) - sum(x) * sum(y): whole numbers up to
-- the division, and that digit by digit: a text of 40 digits after the point, which toFloat64() reads as
-- the nearest double. Five at a time, so a denominator has to be below 1.7e33.

CREATE VIEW fractions AS
SELECT id AS a, '' AS b, what, upper, lower
FROM (SELECT id, sum, square, latency, n, total, spread
      FROM node_sums CROSS JOIN (SELECT n, total, spread FROM whole))
ARRAY JOIN
    ['mean_ns', 'variance_ns2', 'contribution', 'share'] AS what,
    [sum, n * square - sum * sum, n * square - sum * sum, n * latency - sum * total] AS upper,
    [n, n * n, spread, spread] AS lower
UNION ALL
SELECT a, b, what, upper, lower
FROM (SELECT a, b, product, sum_a, sum_b, n, spread
      FROM (SELECT a, b, product, sum_a, sum_b
            FROM (SELECT a, b, product, sum_a
                  FROM pair_sums ANY LEFT JOIN (SELECT id AS a, sum AS sum_a FROM node_sums) USING a)
            ANY LEFT JOIN (SELECT id AS b, sum AS sum_b FROM node_sums) USING b)
      CROSS JOIN (SELECT n, spread FROM whole))
ARRAY JOIN
    ['covariance_ns2', 'contribution'] AS what,
    [n * product - sum_a * sum_b, (n * product - sum_a * sum_b) * 2] AS upper,
    [n * n, spread] AS lower;

CREATE VIEW quotients AS
SELECT a, b, what,
       intDiv(m, lower) AS q, m - q * lower AS r0,
       intDiv(r0 * 100000, lower) AS q1, r0 * 100000 - q1 * lower AS r1,
       intDiv(r1 * 100000, lower) AS q2, r1 * 100000 - q2 * lower AS r2,
       intDiv(r2 * 100000, lower) AS q3, r2 * 100000 - q3 * lower AS r3,
       intDiv(r3 * 100000, lower) AS q4, r3 * 100000 - q4 * lower AS r4,
       intDiv(r4 * 100000, lower) AS q5, r4 * 100000 - q5 * lower AS r5,
       intDiv(r5 * 100000, lower) AS q6, r5 * 100000 - q6 * lower AS r6,
       intDiv(r6 * 100000, lower) AS q7, r6 * 100000 - q7 * lower AS r7,
       intDiv(r7 * 100000, lower) AS q8,
       concat(if(upper < 0, '-', ''), toString(q), '.', arrayStringConcat(arrayMap(
           d -> substring(toString(d + 100000), 2), [q1, q2, q3, q4, q5, q6, q7, q8]))) AS quotient
FROM (SELECT a, b, what, upper, lower, if(upper < 0, -upper, upper) AS m FROM fractions
      WHERE lower > 0);

-- ---- the answers

CREATE VIEW node_moments AS
SELECT id, parent, kind, name, place, sum, square, latency, mean_ns, variance_ns2, contribution, share
FROM (SELECT id, sum, square, latency, mean_ns, variance_ns2, contribution, share
      FROM node_sums ANY LEFT JOIN (
          SELECT a AS id, anyIf(quotient, what = 'mean_ns') AS mean_ns,
                 anyIf(quotient, what = 'variance_ns2') AS variance_ns2,
                 anyIf(quotient, what = 'contribution') AS contribution,
                 anyIf(quotient, what = 'share') AS share
          FROM quotients WHERE b = '' GROUP BY a) USING id)
ANY LEFT JOIN node_names USING id;

CREATE VIEW sibling_moments AS
SELECT a, b, product, covariance_ns2, contribution
FROM pair_sums ANY LEFT JOIN (
    SELECT a, b, anyIf(quotient, what = 'covariance_ns2') AS covariance_ns2,
           anyIf(quotient, what = 'contribution') AS contribution
    FROM quotients WHERE b != '' GROUP BY a, b) USING a, b;
