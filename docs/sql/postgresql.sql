-- Loads `vprofiler export --format csv` into PostgreSQL. Run psql in the folder of the files:
--     cd vprofiler-csv && psql -f postgresql.sql -f variance.sql
-- Several exports go into one set of tables if they are merged first (vprofiler merge).

-- What variance.sql needs: whole numbers without a limit, and a quotient of two of them. 40 digits
-- after the point are how many PostgreSQL's division keeps of a dividend that has them.
CREATE DOMAIN exact AS numeric;
CREATE FUNCTION ratio(a numeric, b numeric) RETURNS numeric IMMUTABLE LANGUAGE sql
    AS 'SELECT round(a, 40) / nullif(b, 0)';

CREATE TABLE intervals (
    interval   bigint PRIMARY KEY,
    host       text   NOT NULL,
    pid        bigint NOT NULL,
    tid        bigint NOT NULL,
    type       text   NOT NULL,
    begin_ns   bigint NOT NULL,
    latency_ns bigint NOT NULL
);
CREATE TABLE nodes (
    node   bigint  PRIMARY KEY,
    parent bigint,               -- NULL: the root, node 0, which is the interval itself
    kind   text    NOT NULL,
    name   text    NOT NULL,
    file   text    NOT NULL,
    line   bigint  NOT NULL,
    height bigint  NOT NULL,
    blamed integer NOT NULL,     -- 1: in a woken-by subtree
    calls  bigint  NOT NULL,
    path   text    NOT NULL      -- ids of the nodes from the root to this one
);
CREATE TABLE cells (
    interval   bigint NOT NULL,
    node       bigint NOT NULL,  -- a leaf
    own_ns     bigint NOT NULL,
    latency_ns bigint NOT NULL   -- of the interval, once more
);
\copy intervals from 'intervals.csv' with (format csv, header)
\copy nodes from 'nodes.csv' with (format csv, header)
\copy cells from 'cells.csv' with (format csv, header)
ANALYZE;
