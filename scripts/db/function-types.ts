import type pg from 'pg';

interface PostgresType {
  readonly oid: number;
  readonly name: string;
  /** `A` array, `B` boolean, `C` composite, `E` enum, `N` number, as in pg_type. */
  readonly category: string;
  readonly element: number;
  readonly labels: readonly string[];
  readonly columns: readonly Field[];
}

interface PostgresFunction {
  readonly name: string;
  readonly args: readonly Field[];
  readonly requiredCount: number;
  readonly result: number;
  /** The columns of a table or of output arguments; empty for a function that returns one value. */
  readonly columns: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly type: number;
  /** Only columns of tables may be declared not null. */
  readonly isNotNull?: boolean;
}

/**
 * Returns the TypeScript interface of the functions that a role may execute: their arguments, and a row of their answer in JSON.
 * @param client a connection to a migrated database
 */
export async function functionTypes(client: pg.Client, role: string): Promise<string> {
  const types = new Map((await client.query<PostgresType>(TYPES)).rows.map((type) => [type.oid, type]));
  const { rows } = await client.query<PostgresFunction>(FUNCTIONS, [role]);
  const members = rows.map(({ name, args, requiredCount, result, columns }) => {
    const names = args.map((arg, place) => `${arg.name}${place < requiredCount ? '' : '?'}`);
    const typed = args.map(({ type }, place) => `${names[place]}: ${jsonType(types, type)} | null`);
    const answer = columns.length > 0 ? objectType(types, columns) : answerType(types, result);
    return `'${name}': { args: [${typed.join(', ')}]; answer: ${answer} };`;
  });
  return `/** The functions that ${role} may execute: their arguments, and a row of their answer in JSON. */
export interface WorkerFunctions { ${members.join('\n')} }\n`;
}

/** A function may return null, unless it returns nothing (void, in JSON an empty text) or rows. */
function answerType(types: ReadonlyMap<number, PostgresType>, oid: number): string {
  const type = jsonType(types, oid);
  return type === "''" || types.get(oid)?.category === 'C' ? type : `${type} | null`;
}

/** Returns the type of a value after `to_json`. */
function jsonType(types: ReadonlyMap<number, PostgresType>, oid: number): string {
  const type = types.get(oid);
  if (type === undefined) throw new Error(`pg_type has no row ${oid}.`);
  if (type.category === 'A') return `readonly (${jsonType(types, type.element)})[]`;
  if (type.category === 'B') return 'boolean';
  if (type.category === 'C') return objectType(types, type.columns);
  if (type.category === 'E') return type.labels.map((label) => `'${label}'`).join(' | ');
  if (type.category === 'N') return 'number';
  if (type.name === 'void') return "''";
  return type.name.startsWith('json') ? 'unknown' : 'string';
}

function objectType(types: ReadonlyMap<number, PostgresType>, fields: readonly Field[]): string {
  const members = fields.map(
    ({ name, type, isNotNull }) => `${name}: ${jsonType(types, type)}${isNotNull ? '' : ' | null'};`,
  );
  return `{ ${members.join(' ')} }`;
}

const TYPES = `
  select
    t.oid::integer, t.typname as name, t.typcategory as category, t.typelem::integer as element,
    array(select e.enumlabel::text from pg_enum as e where e.enumtypid = t.oid order by e.enumsortorder) as labels,
    array(
      select jsonb_build_object('name', a.attname, 'type', a.atttypid::integer, 'isNotNull', a.attnotnull)
      from pg_attribute as a
      where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      order by a.attnum
    ) as columns
  from pg_type as t`;

const FUNCTIONS = `
  select
    f.oid::regproc::text as name, f.pronargs - f.pronargdefaults as "requiredCount", f.prorettype::integer as result,
    fields.args, fields.columns
  from pg_proc as f
  cross join lateral (
    select
      coalesce(jsonb_agg(field order by place) filter (where mode = 'i'), '[]') as args,
      coalesce(jsonb_agg(field order by place) filter (where mode in ('o', 't')), '[]') as columns
    from (
      select place, coalesce(f.proargmodes[place], 'i') as mode,
        jsonb_build_object('name', f.proargnames[place], 'type', type::integer) as field
      from unnest(coalesce(f.proallargtypes, f.proargtypes::oid[])) with ordinality as arg (type, place)
    ) as arg
  ) as fields
  where f.pronamespace::regnamespace::text in ('app', 'gateway', 'staff')
    and f.prorettype <> 'trigger'::regtype
    and has_function_privilege($1, f.oid, 'execute')
  order by name`;
