import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreDatabase } from '../../../scripts/db/backup.ts';
import { ROOT } from '../../../scripts/db/paths.ts';
import { dumpOf } from '../../../scripts/db/releases.ts';
import { migrateUp } from '../../../scripts/db/supabase-cli.ts';
import { prepareDatabase } from '../../simulations/votes/crashing-database.ts';
import type { KillableService } from '../../simulations/votes/killable-service.ts';
import { type Nginx, startBalancer } from '../../support/nginx.ts';
import { checkOutService, copyMigrationsOf, NEWEST } from '../../support/releases.ts';
import { type ClusterStage, startClusterLoad, startClusterStage } from './stage.ts';

const REQUESTS = 200;
/** How long nginx skips a process that did not answer (ops/nginx.conf), and a margin. */
const SKIPPED_MS = 1_500;

let stage: ClusterStage;
let nginx: Nginx;
let directory: string;
let next: string;

beforeAll(async () => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'opine-upgrade-'));
  const service = path.join(directory, 'released');
  mkdirSync(service);
  checkOutService(NEWEST, service);
  const prepare: typeof prepareDatabase = async (cluster, name, password) => {
    await prepareDatabase(cluster, name, password, copyMigrationsOf(NEWEST, service));
    await restoreDatabase(cluster.url(name), dumpOf(NEWEST));
  };
  stage = await startClusterStage({ prepare, service });
  nginx = await startBalancer(stage.apis.map(({ url }) => url));
  next = nextVersion(path.join(directory, 'next'));
});

afterAll(async () => {
  await nginx?.end();
  await stage?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true });
});

/** A migration that only adds, as the guide demands (docs/operations.md). The old version calls none of it. */
const MIGRATION = `
set lock_timeout = '2s';
alter table app.posts add column mood text;
create function api.get_own_profile_with_mood(jsonb) returns jsonb
language sql stable set search_path = ''
begin atomic
  select api.get_own_profile($1) where not exists (select from app.posts as p where p.mood = 'none has one yet');
end;
revoke execute on function api.get_own_profile_with_mood from public;
grant execute on function api.get_own_profile_with_mood to authenticated, opine_gateway;
`;

/** Makes a copy of the repository whose next version needs one more migration. @returns the copy */
function nextVersion(copy: string): string {
  for (const part of ['src', 'package.json', 'supabase/migrations', 'supabase/config.toml']) {
    cpSync(path.join(ROOT, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  const [last = ''] = readdirSync(path.join(copy, 'supabase/migrations')).sort().toReversed();
  const version = String(BigInt(last.slice(0, 14)) + 1n);
  writeFileSync(path.join(copy, `supabase/migrations/${version}_mood.sql`), MIGRATION);
  const file = path.join(copy, 'src/domains/profiles/operations.ts');
  const before = readFileSync(file, 'utf8');
  const after = before.replace("id: 'get_own_profile'", "id: 'get_own_profile_with_mood'");
  if (after === before) throw new Error(`${file} has no operation get_own_profile.`);
  writeFileSync(file, after);
  return copy;
}

async function replace(service: KillableService): Promise<void> {
  await service.kill('SIGTERM');
  await service.start(next);
  await pause(SKIPPED_MS);
}

test('the newest release becomes a new version with a migration, under load and without an error but 503 for less than a second', async () => {
  const { admin, load, expectNothingLost } = await startClusterLoad(stage, () => nginx.url);
  const { cluster, apis, workers, database } = stage;
  await load.progress(REQUESTS);
  const began = performance.now();

  await migrateUp(cluster.url(database.name), next);
  await load.progress(REQUESTS);
  for (const worker of workers) await replace(worker);
  const versions: (string | undefined)[] = [];
  for (const api of apis) {
    await replace(api);
    await load.progress(REQUESTS);
    versions.push(...(await Promise.all(apis.map(versionOf))));
  }
  const [one, other] = ['get_own_profile_with_mood', 'get_own_profile'];
  expect(versions).toEqual([one, other, one, one]);

  async function versionOf({ url }: KillableService): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${admin.session.accessToken}` };
    const document = await fetch(`${url}/api/v1/openapi.json`);
    expect((await fetch(`${url}/api/v1/users/me/profile`, { headers })).status).toBe(200);
    return (await document.json()).paths['/users/me/profile'].get.operationId;
  }

  await expectNothingLost();
  const refusals = load.ledger.refusals.filter(({ at }) => at >= began);
  process.stdout.write(
    `upgrade: ${refusals.length} of ${load.ledger.acknowledgedAt.length} requests repeated\n`,
  );
  expect(refusals.filter(({ outcome }) => outcome !== 'unavailable')).toEqual([]);
  expect(longestOutage(refusals.map(({ at }) => at))).toBeLessThan(1_000);
});

/** Returns the longest time in which refusals followed each other within half a second, in milliseconds. */
function longestOutage(times: readonly number[]): number {
  let [longest, from] = [0, times[0] ?? 0];
  for (const [index, time] of times.entries()) {
    if (time - (times[index - 1] ?? time) > 500) from = time;
    longest = Math.max(longest, time - from);
  }
  return longest;
}
