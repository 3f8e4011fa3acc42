import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { withClient } from './connection.ts';
import { LocalError } from './errors.ts';
import type { Cluster } from './postgres.ts';

export { migrate, pendingMigrations } from './migrations.ts';

/** The service's login for requests, and all of its logins, which share a password. */
export const LOGIN_ROLE = 'opine_gateway';
export const LOGIN_ROLES = [LOGIN_ROLE, 'opine_serializable', 'opine_worker'];

const SUPABASE_SQL = path.join(import.meta.dirname, 'supabase.sql');
const SEED_SQL = path.join(import.meta.dirname, '../../supabase/seed.sql');

/**
 * Makes a database as a Supabase project has one, or brings it up to date: its roles, schemas and grants.
 * @param cluster a running cluster
 * @param options the database's name, and the password to give to its owner, the role `postgres`
 * @returns the connection URL of the owner, which runs migrations
 */
export async function ensureDatabase(
  cluster: Cluster,
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
 * Lets roles log in with a password.
 * @param url connection URL of a superuser, or of the owner of these roles
 * @param roles login roles that exist
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
 * Fills a database that the embedded stack made with the demo data of `supabase/seed.sql`, once in its life.
 * @param superuserUrl a superuser's connection URL
 * @returns whether it was filled now
 * @throws LocalError naming the line of seed.sql that failed; nothing is kept then
 */
export async function seed(superuserUrl: string): Promise<boolean> {
  const sql = readFileSync(SEED_SQL, 'utf8');
  return withClient(superuserUrl, async (client) => {
    await client.query('begin');
    const due = await client.query('update embedded.stack set seeded_at = now() where seeded_at is null');
    if (due.rowCount !== 0) {
      // As the owner, as the Supabase CLI seeds: what needs a superuser here would fail there.
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
