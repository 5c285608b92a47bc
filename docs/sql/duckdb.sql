-- Opens `vprofiler export --format parquet` in DuckDB 1.3 or later. In the folder of the files:
--     cd vprofiler-parquet && cat duckdb.sql variance.sql | duckdb latency.db

-- What variance.sql needs: whole numbers of 128 bits (DuckDB stops with an error where they do not
-- suffice), and a quotient of two of them. A division of doubles would be wrong in the last digits; this
-- one writes down 40 digits after the point, four at a time, and reads them as the nearest double.
CREATE TYPE exact AS HUGEINT;
CREATE MACRO ratio(a, b) AS
    CASE WHEN b <> 0 THEN CAST(
        CASE WHEN (a < 0) <> (b < 0) THEN '-' ELSE '' END || abs(a) // abs(b) || '.' ||
        list_reduce([{'rest': abs(a) % abs(b), 'digits': ''} FOR i IN range(11)],
                    lambda s, i: {'rest': s.rest * 10000 % abs(b),
                                  'digits': s.digits || right('000' || s.rest * 10000 // abs(b), 4)}
        ).digits AS DOUBLE) END;

CREATE TABLE intervals AS FROM 'intervals.parquet';
CREATE TABLE nodes AS FROM 'nodes.parquet';
CREATE TABLE cells AS FROM 'cells.parquet';
