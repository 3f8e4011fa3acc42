import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { ROOT, SUPABASE_DIRECTORY } from '../db/paths.ts';
import { migrateUp } from '../db/supabase-cli.ts';
import { withClient } from './connection.ts';
import { LocalError } from './errors.ts';
import type { ClusterUrls } from './postgres.ts';

/** The service's login for requests, and all of its logins, which share a password. */
export const LOGIN_ROLE = 'opine_gateway';
export const LOGIN_ROLES = [LOGIN_ROLE, 'opine_serializable', 'opine_worker'];

const SUPABASE_SQL = path.join(import.meta.dirname, 'supabase.sql');
const SEED_SQL = path.join(SUPABASE_DIRECTORY, 'seed.sql');

/**
 * Creates a database with the roles, schemas and grants of a Supabase project, or updates it.
 * @param cluster a running cluster
 * @param options the database's name, and the new password of its owner, the role `postgres`
 * @returns the connection URL of the owner, which runs migrations
 */
export async function ensureDatabase(
  cluster: ClusterUrls,
  options: { name: string; ownerPassword: string },
): Promise<{ ownerUrl: string }> {
  const { name, ownerPassword } = options;
  await withClient(cluster.url(), async (client) => {
    const found = await client.query('select from pg_catalog.pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
  const sql = readFileSync(SUPABASE_SQL, 'utf8');
  await withClient(cluster.url(name), (client) => client.query(sql));
  await setPassword(cluster.url(name), ['postgres'], ownerPassword);
  return { ownerUrl: cluster.urlAs('postgres', ownerPassword, name) };
}

/**
 * Sets the password of login roles.
 * @param url connection URL of a superuser, or of the owner of these roles
 */
export async function setPassword(url: string, roles: string[], password: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const role of roles) {
      await client.query(
        `alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(password)}`,
      );
    }
  });
}

/**
 * Reads which migrations a database lacks.
 * @param url connection URL of a role with access to the migration history
 * @returns file names of `supabase/migrations`, oldest first
 */
async function pendingMigrations(url: string): Promise<string[]> {
  const applied = await withClient(url, async (client) => {
    const history = await client.query(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
    );
    if (!history.rows[0]?.exists) return [];
    const found = await client.query('select version from supabase_migrations.schema_migrations');
    return found.rows.map((row) => String(row.version));
  });
  return readdirSync(path.join(SUPABASE_DIRECTORY, 'migrations'))
    .filter((file) => {
      const version = /^(\d+)_.*\.sql$/.exec(file)?.[1];
      return version !== undefined && !applied.includes(version);
    })
    .sort();
}

/**
 * Applies pending migrations by the Supabase CLI, which does not start if there are none.
 * @param ownerUrl connection URL of the role `postgres`
 * @returns the applied file names
 * @throws Error with the CLI's output if a migration fails; earlier ones stay applied
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const pending = await pendingMigrations(ownerUrl);
  if (pending.length > 0) await migrateUp(ownerUrl, ROOT);
  return pending;
}

/**
 * Fills a database of the embedded stack with the demo data of `supabase/seed.sql`, once.
 * @param superuserUrl a superuser's connection URL
 * @returns whether it filled the database now
 * @throws LocalError naming the failed line of seed.sql; nothing is kept then
 */
export async function seed(superuserUrl: string): Promise<boolean> {
  const sql = readFileSync(SEED_SQL, 'utf8');
  return withClient(superuserUrl, async (client) => {
    await client.query('begin');
    const due = await client.query('update embedded.stack set seeded_at = now() where seeded_at is null');
    if (due.rowCount !== 0) {
      // The Supabase CLI seeds as the owner, so SQL that needs a superuser has to fail here too.
      await client.query('set local role postgres');
      await client.query(sql).catch((error: unknown) => {
        throw new LocalError(
          `supabase/seed.sql${lineOf(error, sql)}: ${error instanceof Error ? error.message : error}`,
        );
      });
    }
    await client.query('commit');
    return due.rowCount !== 0;
  });
}

function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return '';
  return `:${sql.slice(0, Number(error.position)).split('\n').length}`;
}
