// node duckdb.js FILE < [statement, ...]    runs them in the database FILE; prints the rows of the last as JSON.
const {DuckDBInstance} = require('@duckdb/node-api');

async function main()
{
    const connection = await (await DuckDBInstance.create(process.argv[2])).connect();
    const statements = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const last = statements.pop();
    for (const statement of statements)
        await connection.run(statement);
    const reader = await connection.runAndReadAll(last);
    console.log(JSON.stringify(reader.getRowObjectsJson()));
}

main().catch(error => {
    console.error(error.message);
    process.exit(1);
});
