import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { OUR_SCHEMAS, ROOT } from '../db/paths.ts';
import { withClient } from '../local/connection.ts';

// .ci/plpgsql-check installs it.
const PACKAGE = path.join(ROOT, 'node_modules/.cache/plpgsql-check/usr');
const LIBRARY = path.join(PACKAGE, 'lib/postgresql/17/lib/plpgsql_check.so');
const SCRIPT = path.join(PACKAGE, 'share/postgresql/17/extension/plpgsql_check--2.8.sql');

/** Accepted findings, as `function: message`, with the reason. */
const ACCEPTED: readonly (readonly [finding: RegExp, reason: string])[] = [
  [/^api\.\w+\(jsonb\): unused parameter "\$1"$/, 'Each operation takes its arguments as one jsonb.'],
  [
    /^app\.\w+\(app\.events,uuid,integer\): unused parameter "p_limit"$/,
    'Audiences have one signature; an audience of one recipient needs no limit.',
  ],
  [
    /^app\.open_cursor\(text,text\): control reached end of function without RETURN$/,
    'app.refuse_argument raises.',
  ],
  [
    /^app\.call_function\(text\): (relation "vault\.decrypted_secrets"|schema "net") does not exist$/,
    'Only projects with the extensions Vault and pg_net of Supabase call it.',
  ],
  [
    /^app\.call_function\(text\): routine is marked as VOLATILE, should be IMMUTABLE$/,
    'It calls pg_net, which the checked database lacks.',
  ],
];

/** Returns whether plpgsql_check is installed; true in CI, where the check fails without it. */
export function hasPlpgsqlCheck(): boolean {
  return process.env.CI === 'true' || existsSync(LIBRARY);
}

/**
 * Runs plpgsql_check on each of our PL/pgSQL functions.
 * @param superuserUrl connection URL of a superuser of a migrated database
 * @returns one line per finding that is not accepted, and per acceptance without a finding
 */
export async function plpgsqlFindings(superuserUrl: string): Promise<string[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-plpgsql-'));
  try {
    // Postgres may run as a user without access to the repository.
    chmodSync(folder, 0o755);
    const library = path.join(folder, 'plpgsql_check.so');
    copyFileSync(LIBRARY, library);
    const findings = await withClient(superuserUrl, async (client) => {
      await client.query(installation(library));
      const { rows } = await client.query<Finding>(FINDINGS, [OUR_SCHEMAS]);
      return rows;
    });
    const keys = findings.map(({ name, message }) => `${name}: ${message}`);
    return [
      ...findings
        .filter((_, index) => !ACCEPTED.some(([accepted]) => accepted.test(keys[index] ?? '')))
        .map(lineOf),
      ...ACCEPTED.filter(([accepted]) => !keys.some((key) => accepted.test(key))).map(
        ([accepted]) => `accepted, but not found: ${accepted.source}`,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns SQL that creates the function of the extension. `create extension` only finds files of the server; the row of
 * pg_extension is there because the library reads its version.
 */
function installation(library: string): string {
  const script = readFileSync(SCRIPT, 'utf8');
  const [definition] = /create function plpgsql_check_function_tb\(.*?;/is.exec(script) ?? [];
  if (definition === undefined) throw new Error(`${SCRIPT} does not create plpgsql_check_function_tb.`);
  return `
    create schema plpgsql_check;
    set search_path = plpgsql_check;
    ${definition.replace('MODULE_PATHNAME', library)}
    set allow_system_table_mods = on;
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 99999, 'plpgsql_check', nspowner, oid, false, '2.8' from pg_namespace where nspname = 'plpgsql_check';
    alter extension plpgsql_check add function plpgsql_check_function_tb;`;
}

interface Finding {
  readonly name: string;
  readonly lineno: number | null;
  readonly level: string;
  readonly message: string;
  readonly hint: string | null;
}

const lineOf = ({ name, lineno, level, message, hint }: Finding) =>
  `${name}${lineno === null ? '' : `, line ${lineno}`}: ${level}: ${message}${hint === null ? '' : ` (${hint})`}`;

// Checks a trigger function with each of its tables, and with the transition tables of any of its triggers.
const FINDINGS = `
  select p.oid::regprocedure::text as name, f.lineno, f.level, f.message, f.hint
  from pg_proc as p
  join pg_language as l on l.oid = p.prolang and l.lanname = 'plpgsql'
  left join (
    select tgfoid, tgrelid, max(tgoldtable) as old_table, max(tgnewtable) as new_table
    from pg_trigger
    where not tgisinternal
    group by tgfoid, tgrelid
  ) as t on t.tgfoid = p.oid
  cross join lateral plpgsql_check_function_tb(
    p.oid, coalesce(t.tgrelid, 0), oldtable => t.old_table, newtable => t.new_table, fatal_errors => false,
    performance_warnings => true, security_warnings => true
  ) as f
  where p.pronamespace::regnamespace::text = any ($1)
    and (p.prorettype <> 'trigger'::regtype or t.tgrelid is not null)
    and p.prorettype <> 'event_trigger'::regtype
  order by name, lineno`;
