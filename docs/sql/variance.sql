-- The moments of vprofiler's variance tree, by SQL alone: exact sums, one division. For PostgreSQL
-- (after postgresql.sql) and DuckDB (after duckdb.sql), which say what `exact` and `ratio` are.
--
-- A node's time in an interval is the sum of the cells at and below it. An interval in which a node
-- does not occur counts as 0: every n is the number of all intervals, never a number of cells.

CREATE VIEW ancestors AS
WITH RECURSIVE up(node, ancestor) AS (
    SELECT node, node FROM nodes
    UNION ALL
    SELECT up.node, nodes.parent FROM up JOIN nodes ON nodes.node = up.ancestor
    WHERE nodes.parent IS NOT NULL)
SELECT node, ancestor FROM up;

-- A row for each node that an interval touches.
CREATE TABLE spans AS
SELECT interval, ancestor AS node, sum(own_ns) AS ns, max(latency_ns) AS latency_ns
FROM cells JOIN ancestors USING (node)
GROUP BY interval, ancestor;
CREATE INDEX spans_by_interval ON spans (interval, node);

CREATE VIEW whole AS
SELECT count(*)::exact AS n, sum(latency_ns) AS sum,
       count(*) * sum(latency_ns::exact * latency_ns) - sum(latency_ns) * sum(latency_ns) AS spread
FROM intervals;

-- n^2 times the (co)variance is n * sum(x*y) - sum(x) * sum(y): whole numbers up to the division.
CREATE VIEW node_moments AS
WITH sums AS (
    SELECT nodes.node, nodes.parent, nodes.kind, nodes.name,
           coalesce(sum(ns), 0) AS sum,
           coalesce(sum(ns * ns), 0) AS square,
           coalesce(sum(ns * latency_ns), 0) AS latency
    FROM nodes LEFT JOIN spans USING (node)
    GROUP BY nodes.node, nodes.parent, nodes.kind, nodes.name)
SELECT sums.*,
       ratio(sums.sum, n) AS mean_ns,
       ratio(n * square - sums.sum * sums.sum, n * n) AS variance_ns2,
       ratio(n * square - sums.sum * sums.sum, spread) AS contribution,
       ratio(n * latency - sums.sum * whole.sum, spread) AS share
FROM sums, whole;

-- Every pair of siblings.
CREATE VIEW sibling_moments AS
WITH products AS (
    SELECT a.node AS a, b.node AS b, sum(a.ns * b.ns) AS product
    FROM spans a
    JOIN nodes na ON na.node = a.node
    JOIN nodes nb ON nb.parent = na.parent AND nb.node > na.node
    JOIN spans b ON b.interval = a.interval AND b.node = nb.node
    GROUP BY a.node, b.node)
SELECT a.parent, a.node AS a, b.node AS b, coalesce(product, 0) AS product,
       ratio(n * coalesce(product, 0) - a.sum * b.sum, n * n) AS covariance_ns2,
       ratio(2 * (n * coalesce(product, 0) - a.sum * b.sum), spread) AS contribution
FROM whole, node_moments a
JOIN node_moments b ON b.parent = a.parent AND b.node > a.node
LEFT JOIN products ON products.a = a.node AND products.b = b.node;

-- Every node with its parent: what a node adds to its parent's variance.
CREATE VIEW parent_moments AS
WITH products AS (
    SELECT child.node, sum(child.ns * parent.ns) AS product
    FROM spans child
    JOIN nodes ON nodes.node = child.node
    JOIN spans parent ON parent.interval = child.interval AND parent.node = nodes.parent
    GROUP BY child.node)
SELECT child.node, child.parent, coalesce(product, 0) AS product,
       ratio(n * coalesce(product, 0) - child.sum * parent.sum, n * n) AS covariance_ns2
FROM whole, node_moments child
JOIN node_moments parent ON parent.node = child.parent
LEFT JOIN products ON products.node = child.node;
