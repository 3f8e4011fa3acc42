import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createSecrets } from '../../src/auth/secrets.ts';
import { aKillableService, type KillableService } from '../simulations/votes/chaos-service.ts';
import { anAudienceIn } from './audience.ts';
import type { Json } from './client.ts';
import { timePasses } from './clock.ts';
import type { TestDatabase } from './database.ts';
import { aDeviceToken, hashOf } from './devices.ts';
import type { FakeFcm } from './fcm.ts';
import { aHub, aHubPost } from './hubs.ts';
import { type Opine, testEnvironment } from './opine.ts';
import { aHubReady, type Person } from './people.ts';
import { waitingIn } from './pushes.ts';
import { signedInAgain } from './uploads.ts';

const QUIET_LOOKS = 12;

/** A Hub of Amara's, whose members have a phone each. */
export interface HubOfPhones {
  readonly url: string;
  amara: Person;
  readonly hub: Json;
  /** The token of each member's phone, by their id. */
  readonly phones: ReadonlyMap<string, string>;
}

/** What became of everything that was to be sent. */
export interface Fates {
  /** The pairs of notification and token that FCM took. */
  readonly taken: ReadonlySet<string>;
  /** Those that were left to staff. */
  readonly dead: ReadonlySet<string>;
  /** Everything that there was to send. */
  readonly due: ReadonlySet<string>;
  /** What FCM was asked to send, whatever it answered. */
  readonly asked: readonly Json[];
  /** What of it nobody was to get. */
  readonly strays: readonly Json[];
}

/** Starts a service that pushes through `fcm`, in a process of its own. */
export function aPushingService(database: TestDatabase, fcm: FakeFcm): Promise<KillableService> {
  return aKillableService({ ...testEnvironment(database), ...fcm.environment, LOG_LEVEL: 'error' });
}

/** A Hub with so many members besides Amara. */
export async function aHubOfPhones(url: string, database: TestDatabase, size: number): Promise<HubOfPhones> {
  const opine = { url, database, stop: async () => {} };
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const audience = await anAudienceIn(opine, hub, size);
  const { HASH_SECRET = '' } = testEnvironment(database);
  const secrets = createSecrets(HASH_SECRET);
  const phones = new Map(audience.map(({ id }) => [id, aDeviceToken()]));
  const rows = audience.map(({ id, sessionId }) => {
    const token = phones.get(id) ?? '';
    return { id, sessionId, hash: hashOf(token).toString('hex'), sealed: secrets.sealDeviceToken(token) };
  });
  await sql`
    insert into app.device_tokens (token_hash, user_id, session_id, platform, sealed_token)
    select decode(r.hash, 'hex'), r.id, r."sessionId", 'android', decode(r.sealed, 'base64')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id uuid, "sessionId" uuid, hash text, sealed text)`.execute(database.superuser);
  await sql`
    insert into app.refresh_tokens (token_hash, session_id, expires_at)
    select sha256(id::text::bytea), id, app.now() + interval '60 days'
    from app.sessions where id = any (${audience.map(({ sessionId }) => sessionId)}::uuid[])`.execute(
    database.superuser,
  );
  return { url, amara, hub, phones };
}

/** Amara tells all of them so many things, however long ago she was here. */
export async function tellAll(world: HubOfPhones, count = 1): Promise<Json[]> {
  world.amara = await signedInAgain(world, world.amara);
  return Promise.all(Array.from({ length: count }, () => aHubPost(world.amara, [world.hub])));
}

/** Time goes on, when nothing else does, until nothing waits: everything was sent, or left to staff. */
export async function untilNothingWaits(database: TestDatabase, { requests, taken }: FakeFcm): Promise<void> {
  const opine = { database };
  let before = '';
  for (let looks = 0; ; looks += 1) {
    const { outbox, pushes } = await waitingIn(opine);
    if (outbox + pushes === 0) return;
    const now = `${outbox} ${pushes} ${requests.length} ${taken.length}`;
    if (now !== before) looks = 0;
    before = now;
    // What is under way is not to be taken for lost.
    if (looks === QUIET_LOOKS) {
      await timePasses(opine, await longestWaitIn(opine));
      looks = 0;
    }
    await pause(50);
  }
}

/** How long it is until all that waits is due, as an interval. */
async function longestWaitIn({ database }: Pick<Opine, 'database'>): Promise<string> {
  const { rows } = await sql<{ wait: string }>`
    select (greatest(max(w.due_at) - app.now(), '0') + interval '1 second')::text as wait
    from (select due_at from app.outbox union all select due_at from app.pushes) as w`.execute(
    database.superuser,
  );
  return rows[0]?.wait ?? '';
}

/** What became of what the members of `world` were to get of `posts`. */
export async function fatesIn(
  database: TestDatabase,
  fcm: FakeFcm,
  { phones }: HubOfPhones,
  posts: readonly Json[],
): Promise<Fates> {
  const { rows: notifications } = await sql<Json>`
    select n.id, n.recipient_id from app.notifications as n join app.events as e on e.id = n.event_id
    where e.type = 'hub_post_created' and e.post_id = any (${posts.map(({ id }) => id)}::uuid[])`.execute(
    database.superuser,
  );
  const { rows: letters } = await sql<Json>`
    select notification_id, encode(token_hash, 'hex') as hash from app.dead_letters
    where token_hash is not null`.execute(database.superuser);
  const tokens = new Map([...phones.values()].map((token) => [hashOf(token).toString('hex'), token]));
  const due = new Set<string>(
    notifications.map(({ id, recipient_id: userId }) => `${id} ${phones.get(userId)}`),
  );
  const isOfThese = ({ data }: Json) => posts.some(({ id }) => id === data.postId);
  const nameOf = ({ data, token }: Json) => `${data.notificationId} ${token}`;
  return {
    due,
    taken: new Set(
      fcm.taken
        .map(({ message }) => message)
        .filter(isOfThese)
        .map(nameOf),
    ),
    dead: due.intersection(
      new Set(letters.map(({ notification_id: id, hash }) => `${id} ${tokens.get(hash)}`)),
    ),
    asked: fcm.requests.map(({ message }) => message).filter(isOfThese),
    strays: fcm.requests
      .map(({ message }) => message)
      .filter((message) => isOfThese(message) && !due.has(nameOf(message))),
  };
}
