-- Takes over one exported result, whose three tables are in new_intervals, new_nodes and new_cells.
-- A run is known by its host, its first interval and how many there are.

INSERT INTO intervals
SELECT (SELECT cityHash64(any(host), min(begin_ns), count()) FROM new_intervals) AS run,
       `interval`, host, pid, tid, type, begin_ns, latency_ns
FROM new_intervals;

INSERT INTO nodes
SELECT (SELECT cityHash64(any(host), min(begin_ns), count()) FROM new_intervals) AS run,
       way[-1], if(length(way) > 1, way[-2], ''), kind, name, file, line, height, blamed, calls
FROM (SELECT *, splitByChar('/', path) AS way FROM new_nodes);

INSERT INTO families
SELECT (SELECT cityHash64(any(host), min(begin_ns), count()) FROM new_intervals) AS run,
       `interval`, parent, any(latency_ns), arrayMap(c -> c.1, arraySort(groupArray((id, ns)))),
       arrayMap(c -> c.2, arraySort(groupArray((id, ns))))
FROM (SELECT `interval`, parent, id, sum(own_ns) AS ns, any(latency_ns) AS latency_ns
      FROM (SELECT `interval`, node, own_ns, latency_ns, way,
                   arrayPopBack(arrayPushFront(way, '')) AS parents
            FROM new_cells
            ANY LEFT JOIN (SELECT node, splitByChar('/', path) AS way FROM new_nodes) USING node)
      ARRAY JOIN way AS id, parents AS parent
      GROUP BY `interval`, parent, id)
GROUP BY `interval`, parent;

TRUNCATE TABLE new_intervals;
TRUNCATE TABLE new_nodes;
TRUNCATE TABLE new_cells;
