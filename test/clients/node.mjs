// node-postgres, and the typed data layer of examples/data-layer on it. test/clients/run copies this
// beside the layer's packages; the argument is the directory that reference.py wrote.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { launchByWorkload } from './built/launch.js';
import { faults, launchAnswer } from './built/shapes.js';

const NULL = '\\N';
const directory = process.argv[2];
let failed = false;

function report(passed, title, detail = '') {
  if (!passed) {
    failed = true;
    console.log(typeof detail === 'string' ? detail : JSON.stringify(detail));
  }
  console.log(`${passed ? 'ok' : 'not ok'} - node-postgres: ${title}`);
}

const equal = (title, wanted, got) => report(isDeepStrictEqual(wanted, got), title, { wanted, got });

const tables = (name) => readFileSync(join(directory, name), 'utf8').split('\x1d')
  .map((table) => table.split('\x1e').map((record) => record.split('\x1f')));

/** A parameter as an application has it. */
function parameter(type, written) {
  if (written === NULL) return null;
  if (type === 'text[]') return written.split(',');
  return type === 'text' ? written : Number(written);
}

const cases = tables('cases').map(([[name, sql], given, columns, types, ...rows]) => {
  const parameters = [];
  for (let i = 0; i + 1 < given.length; i += 2) parameters.push(parameter(given[i], given[i + 1]));
  return { name, sql, parameters, columns, types, rows, isError: types[0] === 'error' };
});

/** The elements of an array as psql shows it. */
const elements = (shown) => [...shown.matchAll(/"((?:[^"\\]|\\.)*)"|([^,{}"]+)/g)]
  .map(([, quoted, bare]) => (quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')));

// A value as node-postgres gives it, from what psql shows: numeric and bigint are strings.
const NATIVE = {
  'text': (shown) => shown,
  'bigint': (shown) => shown,
  'numeric': (shown) => shown,
  'integer': Number,
  'double precision': Number,
  'boolean': (shown) => ({ t: true, f: false })[shown],
  'text[]': elements,
  'jsonb': JSON.parse,
  'timestamp with time zone': (shown) => new Date(shown.replace(' ', 'T').replace('+00', 'Z')),
  'date': (shown) => new Date(`${shown}T00:00:00`), // midnight where the client is
};

function differences({ columns, types, rows }, result, names) {
  const fields = result.fields.map(({ name }) => name);
  if (!isDeepStrictEqual(fields, columns)) return { fields, columns };
  const its = result.fields.map(({ dataTypeID }) => names.get(dataTypeID));
  if (!isDeepStrictEqual(its, types)) return { its, types };
  if (result.rows.length !== rows.length) return { got: result.rows.length, wanted: rows.length };
  for (const [at, row] of result.rows.entries()) {
    for (const [place, type] of types.entries()) {
      const shown = rows[at][place];
      const wanted = shown === NULL ? null : NATIVE[type](shown);
      if (!isDeepStrictEqual(row[place], wanted)) return { column: columns[place], got: row[place], wanted };
    }
  }
  return null;
}

/** The error that is expected: its code, message and hint. */
function isError(error, [code, message, hint]) {
  return isDeepStrictEqual([error.code, error.message, error.hint], [code, message, hint]);
}

async function check(client, given, names, prefix = '', name = undefined, times = 1) {
  let result;
  try {
    for (let time = 0; time < times; time++) {
      result = await client.query({ name, text: given.sql, values: given.parameters, rowMode: 'array' });
    }
  } catch (error) {
    report(given.isError && isError(error, given.rows[0]), prefix + given.name, `${error.code} ${error.message} ${error.hint}`);
    return;
  }
  const found = given.isError ? 'no error' : differences(given, result, names);
  report(found === null, prefix + given.name, found ?? '');
}

async function checkCatalogue(client) {
  const [relations, columns] = tables('catalogue');
  const { rows } = await client.query({
    text: `SELECT t.table_name, CASE t.table_type WHEN 'VIEW' THEN 'view' ELSE 'table' END, obj_description(t.table_name::regclass)
             FROM information_schema.tables AS t WHERE t.table_schema = 'public' ORDER BY t.table_name`,
    rowMode: 'array',
  });
  equal('lists the tables and views with their comments', relations, rows);
  for (const [relation] of relations) {
    const described = await client.query({
      text: `SELECT column_name, CASE data_type WHEN 'ARRAY' THEN ltrim(udt_name, '_') || '[]' ELSE data_type END,
                    col_description(table_name::regclass, ordinal_position)
               FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position`,
      values: [relation],
      rowMode: 'array',
    });
    equal(`the columns of ${relation} with types and comments`,
      columns.filter(([of]) => of === relation).map(([, ...rest]) => rest), described.rows);
  }
}

// The data layer

const NAMES = ['model', 'bits', 'ctx', 'conc', 'task', 'memoryGib', 'budget', 'maxPrice', 'tier', 'countries'];

/** The workload of a case, in the words of the layer. */
function workload({ parameters }) {
  return Object.fromEntries([...NAMES.map((name, place) => [name, parameters[place]]), ['maxMachines', 5]]
    .filter(([, value]) => value !== null));
}

async function checkLayer(client) {
  // An argument that is NULL has no way into the layer where NULL is not the default: it is left out.
  const asked = cases.filter(({ name, parameters }) => name.startsWith('launch_by_workload(') && !parameters.slice(1, 4).includes(null));
  report(asked.filter(({ isError }) => !isError).length >= 10, 'the layer is asked for ten workloads');
  const filled = new Set();
  for (const [place, given] of asked.entries()) {
    try {
      const answer = await launchByWorkload(client, workload(given));
      const wrong = faults(answer, launchAnswer);
      report(wrong.length === 0, `the layer's types are those of answer ${place + 1}`, wrong.slice(0, 5));
      if (given.isError) report(false, `the layer: ${given.name} is an error`);
      else equal(`the layer: ${given.name}`, JSON.parse(given.rows[0][0]), answer);
      for (const key of ['recommended', 'alternatives', 'constraints']) if (answer[key].length > 0) filled.add(key);
    } catch (error) {
      report(given.isError && error.code === '22023' && isError(error, given.rows[0]), `the layer: ${given.name}`,
        `${error.code} ${error.message} ${error.hint}`);
    }
  }
  report(filled.size === 3, 'each list of the answers was filled once', [...filled]);
  // What would be found.
  const answer = await launchByWorkload(client, { model: 'llama-3.1-8b', maxMachines: 1 });
  const [machine] = answer.recommended;
  for (const [change, place] of [
    [{ surplus: 1 }, 'answer.surplus'],
    [{ constraints: undefined }, 'answer.constraints'],
    [{ recommended: [{ ...machine, tier: 'middle' }] }, 'answer.recommended[0].tier'],
    [{ recommended: [{ ...machine, price_per_hour: '1' }] }, 'answer.recommended[0].price_per_hour'],
    [{ alternatives: [machine] }, 'answer.alternatives[0].gain'],
  ]) {
    const found = faults({ ...answer, ...change }, launchAnswer);
    report(found.some((line) => line.startsWith(place)), `a fault at ${place} would be found`, found);
  }
}

const client = new pg.Client();
await client.connect();
try {
  const { rows } = await client.query({ text: 'SELECT oid, format_type(oid, NULL) FROM pg_type', rowMode: 'array' });
  const names = new Map(rows);
  for (const given of cases) await check(client, given, names);
  for (const [place, given] of cases.entries()) {
    // The server makes a generic plan after five executions.
    if (given.parameters.length > 0 && !given.isError) await check(client, given, names, 'prepared, the sixth time: ', `case${place}`, 6);
  }
  await checkCatalogue(client);
  await checkLayer(client);
} finally {
  await client.end();
}
process.exitCode = failed ? 1 : 0;
