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

/**
 * What migrations manage: as Supabase's own policy has it, except that policies on the platform's tables are ours, and
 * the text that an extension brings about itself is not (a hosted project's `postgres` does not own extensions).
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

/** Diagnostics of pg-delta that mean: this object would be missing from the migration. */
const UNSEEN = new Set(['unmodeled_kind', 'unresolved_security_label']);

/**
 * Plans how to get from one database to another; roles are left to `roleDifferences`.
 * @param fromUrl connection URL of the owner of the database to change
 * @param toUrl connection URL of the owner of the database to arrive at
 * @returns pg-delta's plan, without actions where the two are the same
 * @throws Error naming what pg-delta does not see
 */
export async function planChanges(fromUrl: string, toUrl: string): Promise<Plan> {
  const { there } = await planBothWays(fromUrl, toUrl);
  return there();
}

/**
 * Reads two databases, to plan how to get from either to the other; as `planChanges` otherwise.
 * @returns what makes the plan from the first to the second, and the one back
 */
export async function planBothWays(
  fromUrl: string,
  toUrl: string,
): Promise<{ there: () => Plan; back: () => Plan }> {
  const from = onePool(fromUrl);
  const to = onePool(toUrl);
  try {
    const profiles = await Promise.all([resolveProfile(from, PROFILE), resolveProfile(to, PROFILE)]);
    const [one, other] = await Promise.all([profiles[0].extract(from), profiles[1].extract(to)]);
    refuseUnseen([...one.diagnostics, ...other.diagnostics]);
    return {
      there: () => planFrom(profiles[0], one, other),
      back: () => planFrom(profiles[1], other, one),
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
  refuseSuspicious(changes);
  return changes;
}

function onePool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The cluster may be stopped while an ended connection is still being closed.
  pool.on('error', () => {});
  return pool;
}

function refuseUnseen(diagnostics: readonly Diagnostic[]): void {
  const unseen = diagnostics.filter(({ code, severity }) => severity === 'error' || UNSEEN.has(code));
  if (unseen.length === 0) return;
  const lines = [...new Set(unseen.map(({ code, message }) => `${code}: ${message}`))];
  throw new Error(`pg-delta does not see everything in these schemas:\n${lines.join('\n')}`);
}

function refuseSuspicious(changes: Plan): void {
  const hidden = (changes.projectionAudit?.entries ?? []).filter(
    ({ classification }) => classification === 'suspicious',
  );
  if (hidden.length === 0) return;
  const lines = hidden.map(({ delta }) => JSON.stringify(delta));
  throw new Error(`pg-delta leaves differences out:\n${lines.join('\n')}`);
}
