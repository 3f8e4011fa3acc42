import {
  type Diagnostic,
  type ExtractResult,
  type IntegrationProfile,
  type Plan,
  type Policy,
  plan,
  type ResolvedProfile,
  resolveProfile,
  supabasePolicy,
  supabaseProfile,
} from '@supabase/pg-delta';
import pg from 'pg';
import { withClient } from '../local/connection.ts';
import { declaredDatabase, migratedDatabase, withCluster } from './throwaway.ts';

/**
 * What migrations manage: Supabase's own policy, plus our policies on the platform's tables, minus comments of
 * extensions, which a hosted project's `postgres` does not own.
 */
const POLICY: Policy = {
  id: 'opine',
  extends: [supabasePolicy],
  filter: [
    { match: { all: [{ kind: 'policy' }, { schema: ['realtime', 'storage'] }] }, action: 'include' },
    {
      match: { all: [{ kind: 'comment' }, { target: { kind: 'policy', schema: ['realtime', 'storage'] } }] },
      action: 'include',
    },
    {
      match: { all: [{ kind: 'comment' }, { target: { kind: 'extension' } }] },
      action: 'exclude',
      audit: { reasonCode: 'opine.extension-comment', classification: 'acknowledged' },
    },
  ],
};

const PROFILE: IntegrationProfile = { ...supabaseProfile, id: 'opine', policy: POLICY };

/** Diagnostics of pg-delta for objects that the migration would lack. */
const UNSEEN = new Set(['unmodeled_kind', 'unresolved_security_label']);

/**
 * Plans the changes from one database to another, without roles (see `roleDifferences`).
 * @param fromUrl connection URL of the owner of the database to change
 * @param toUrl connection URL of the owner of the target
 * @returns pg-delta's plan, without actions if the two are equal
 * @throws Error naming what pg-delta does not see
 */
export async function planChanges(fromUrl: string, toUrl: string): Promise<Plan> {
  const { forward } = await comparison(fromUrl, toUrl);
  return forward();
}

/** Reads two databases. @returns functions that plan the changes from the first to the second, and back */
async function comparison(fromUrl: string, toUrl: string) {
  const from = singleConnection(fromUrl);
  const to = singleConnection(toUrl);
  try {
    const profiles = await Promise.all([resolveProfile(from, PROFILE), resolveProfile(to, PROFILE)]);
    const [first, second] = await Promise.all([profiles[0].extract(from), profiles[1].extract(to)]);
    refuseUnseen([...first.diagnostics, ...second.diagnostics]);
    return {
      forward: () => planFrom(profiles[0], first, second),
      back: () => planFrom(profiles[1], second, first),
    };
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

function planFrom(profile: ResolvedProfile, source: ExtractResult, desired: ExtractResult): Plan {
  const roles = desired.factBase.facts().flatMap(({ id }) => (id.kind === 'role' ? [id.name] : []));
  const changes = plan(source.factBase, desired.factBase, {
    ...profile.planOptions,
    scope: 'database',
    assumedRoles: roles,
    defaultOwner: 'postgres',
  });
  const suspicious = changes.projectionAudit?.entries.filter(
    ({ classification }) => classification === 'suspicious',
  );
  refuse(
    'pg-delta leaves differences out',
    (suspicious ?? []).map(({ delta }) => JSON.stringify(delta)),
  );
  return changes;
}

function singleConnection(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The cluster may stop while an ended connection still closes.
  pool.on('error', () => {});
  return pool;
}

function refuseUnseen(diagnostics: readonly Diagnostic[]): void {
  const unseen = diagnostics.filter(({ code, severity }) => severity === 'error' || UNSEEN.has(code));
  const lines = new Set(unseen.map(({ code, message }) => `${code}: ${message}`));
  refuse('pg-delta does not see everything in these schemas', [...lines]);
}

function refuse(problem: string, lines: readonly string[]): void {
  if (lines.length > 0) throw new Error(`${problem}:\n${lines.join('\n')}`);
}

// pg-delta sees neither INHERIT nor SET of a membership, which decide what a login may do.
const ROLE_STATE = `
  select 'role ' || (to_jsonb(r) - 'oid' - 'rolpassword')::text as line
  from pg_roles as r
  union all
  select format('membership of %s in %s: admin %s, inherit %s, set %s', m.member::regrole, m.roleid::regrole,
    m.admin_option, m.inherit_option, m.set_option)
  from pg_auth_members as m
  union all
  select format('comment on %s: %s', r.rolname, shobj_description(r.oid, 'pg_authid'))
  from pg_roles as r
  where shobj_description(r.oid, 'pg_authid') is not null
  order by line`;

/**
 * Reads the roles of a cluster, with their settings, memberships and comments, without passwords.
 * @param url connection URL of any of its databases
 * @returns one line per fact
 */
export async function roleState(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<{ line: string }>(ROLE_STATE));
  return rows.map(({ line }) => line);
}

/**
 * Compares the roles of two clusters.
 * @returns one line per difference: `-` marks what only `from` has, `+` what only `to` has
 */
export async function roleDifferences(fromUrl: string, toUrl: string): Promise<string[]> {
  const [from, to] = await Promise.all([roleState(fromUrl), roleState(toUrl)]);
  return [
    ...from.filter((line) => !to.includes(line)).map((line) => `- ${line}`),
    ...to.filter((line) => !from.includes(line)).map((line) => `+ ${line}`),
  ];
}

/**
 * Compares a migrated with a declared database of another cluster.
 * @param migratedUrl connection URL of the owner of a database made by the migrations
 * @param declaredUrl connection URL of the owner of a database made from the schemas
 * @returns the role differences and the statements from the first to the second; empty if they are equal
 * @throws Error naming what pg-delta does not see
 */
export async function schemaDrift(migratedUrl: string, declaredUrl: string): Promise<string[]> {
  const roles = await roleDifferences(migratedUrl, declaredUrl);
  const { forward, back } = await comparison(migratedUrl, declaredUrl);
  const [missing, surplus] = [forward(), back()];
  const changes = missing.actions.length > 0 ? missing : surplus;
  return [...roles, ...changes.actions.map(({ sql }) => sql)];
}

/** Compares the migrations of a folder `supabase` with its schemas, as `schemaDrift`. */
export function driftOf(supabaseDirectory: string): Promise<string[]> {
  return withCluster(async (cluster) => {
    const { ownerUrl } = await declaredDatabase(cluster, 'declared', supabaseDirectory);
    return driftFrom(supabaseDirectory, ownerUrl);
  });
}

/** Compares the migrations of a folder `supabase` with a declared database, as `schemaDrift`. */
export function driftFrom(supabaseDirectory: string, declaredUrl: string): Promise<string[]> {
  return withCluster(async (cluster) =>
    schemaDrift(await migratedDatabase(cluster, 'migrated', supabaseDirectory), declaredUrl),
  );
}
