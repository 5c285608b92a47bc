-- The moments of vprofiler's variance tree, by SQL alone: exact sums in numeric, one division.
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
CREATE MATERIALIZED VIEW spans AS
SELECT interval, ancestor AS node, sum(own_ns) AS ns, max(latency_ns) AS latency_ns
FROM cells JOIN ancestors USING (node)
GROUP BY interval, ancestor;
CREATE INDEX ON spans (interval, node);

CREATE VIEW whole AS
SELECT count(*)::numeric AS n, sum(latency_ns) AS sum,
       count(*) * sum(latency_ns::numeric * latency_ns) - sum(latency_ns) ^ 2 AS spread
FROM intervals;

-- n^2 times the (co)variance is n * sum(x*y) - sum(x) * sum(y): whole numbers up to the division.
-- round(..., 40) is how many digits PostgreSQL's division keeps.
CREATE VIEW node_moments AS
WITH sums AS (
    SELECT nodes.node, nodes.parent, nodes.kind, nodes.name,
           coalesce(sum(ns), 0) AS sum,
           coalesce(sum(ns * ns), 0) AS square,
           coalesce(sum(ns * latency_ns), 0) AS latency
    FROM nodes LEFT JOIN spans USING (node)
    GROUP BY nodes.node, nodes.parent, nodes.kind, nodes.name)
SELECT sums.*,
       round(sums.sum, 40) / n AS mean_ns,
       round(n * square - sums.sum * sums.sum, 40) / (n * n) AS variance_ns2,
       round(n * square - sums.sum * sums.sum, 40) / nullif(spread, 0) AS contribution,
       round(n * latency - sums.sum * whole.sum, 40) / nullif(spread, 0) AS share
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
       round(n * coalesce(product, 0) - a.sum * b.sum, 40) / (n * n) AS covariance_ns2,
       round(2 * (n * coalesce(product, 0) - a.sum * b.sum), 40) / nullif(spread, 0)
           AS contribution
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
       round(n * coalesce(product, 0) - child.sum * parent.sum, 40) / (n * n) AS covariance_ns2
FROM whole, node_moments child
JOIN node_moments parent ON parent.node = child.parent
LEFT JOIN products ON products.node = child.node;
