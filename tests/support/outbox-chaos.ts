import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createSecrets } from '../../src/auth/secrets.ts';
import { type KillableService, startKillableService } from '../simulations/votes/killable-service.ts';
import { anAudienceIn } from './audience.ts';
import type { Json } from './client.ts';
import type { TestDatabase } from './database.ts';
import type { FakeFcm } from './fcm.ts';
import { aHub, aHubPost } from './hubs.ts';
import { advanceTime, testEnvironment, WITH_WORKER, type WithDatabase } from './opine.ts';
import { hubReadyPerson, type Person, withFreshSession } from './people.ts';
import { newDeviceToken, queuedCounts, tokenHash } from './pushes.ts';

const QUIET_LOOKS = 12;

/** A Hub of Amara's whose members have one phone each. */
export interface HubOfPhones {
  readonly url: string;
  amara: Person;
  readonly hub: Json;
  /** Device token by member id. */
  readonly phones: ReadonlyMap<string, string>;
}

/** Pairs of notification and device token by outcome. */
export interface DeliveryOutcomes {
  /** Accepted by FCM. */
  readonly taken: ReadonlySet<string>;
  /** Dead letters. */
  readonly dead: ReadonlySet<string>;
  /** Expected deliveries. */
  readonly due: ReadonlySet<string>;
  /** Messages sent to FCM, whatever the answer was. */
  readonly sent: readonly Json[];
  /** Messages of `sent` that were not expected. */
  readonly strays: readonly Json[];
}

/** Starts a service with push in a process of its own. */
export function aPushingService(database: TestDatabase, fcm: FakeFcm): Promise<KillableService> {
  return startKillableService({
    ...testEnvironment(database),
    ...WITH_WORKER,
    ...fcm.environment,
    LOG_LEVEL: 'error',
  });
}

/** Creates the Hub with `size` members besides Amara. */
export async function aHubOfPhones(url: string, database: TestDatabase, size: number): Promise<HubOfPhones> {
  const opine = { url, database, stop: async () => {} };
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const audience = await anAudienceIn(opine, hub, size);
  const { HASH_SECRET = '' } = testEnvironment(database);
  const secrets = createSecrets(HASH_SECRET);
  const phones = new Map(audience.map(({ id }) => [id, newDeviceToken()]));
  const rows = audience.map(({ id, sessionId }) => {
    const token = phones.get(id) ?? '';
    return { id, sessionId, hash: tokenHash(token).toString('hex'), sealed: secrets.sealDeviceToken(token) };
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

/** Publishes `count` posts as Amara. */
export async function postToAll(world: HubOfPhones, count = 1): Promise<Json[]> {
  world.amara = await withFreshSession(world, world.amara);
  return Promise.all(Array.from({ length: count }, () => aHubPost(world.amara, [world.hub])));
}

/** Advances the clock while deliveries stall, until the queues are empty. */
export async function waitUntilDelivered(
  database: TestDatabase,
  { requests, taken }: FakeFcm,
): Promise<void> {
  const opine = { database };
  let before = '';
  for (let looks = 0; ; looks += 1) {
    const { outbox, pushes } = await queuedCounts(opine);
    if (outbox + pushes === 0) return;
    const now = `${outbox} ${pushes} ${requests.length} ${taken.length}`;
    if (now !== before) looks = 0;
    before = now;
    // Deliveries in progress are not stalled.
    if (looks === QUIET_LOOKS) {
      await advanceTime(opine, await longestWaitIn(opine));
      looks = 0;
    }
    await pause(50);
  }
}

/** Returns the time until all queued deliveries are due. */
async function longestWaitIn({ database }: WithDatabase): Promise<string> {
  const { rows } = await sql<{ wait: string }>`
    select (greatest(max(w.due_at) - app.now(), '0') + interval '1 second')::text as wait
    from (
      select due_at from app.outbox union all select due_at from app.pushes union all select lapses_at from app.push_leases
    ) as w`.execute(database.superuser);
  return rows[0]?.wait ?? '';
}

/** Compares FCM's messages with the notifications of `posts`. */
export async function deliveryOutcomes(
  database: TestDatabase,
  fcm: FakeFcm,
  { phones }: HubOfPhones,
  posts: readonly Json[],
): Promise<DeliveryOutcomes> {
  const { rows: notifications } = await sql<Json>`
    select n.id, n.recipient_id from app.notifications as n join app.events as e on e.id = n.event_id
    where e.type = 'hub_post_created' and e.post_id = any (${posts.map(({ id }) => id)}::uuid[])`.execute(
    database.superuser,
  );
  const { rows: letters } = await sql<Json>`
    select notification_id, encode(token_hash, 'hex') as hash from app.dead_letters
    where token_hash is not null`.execute(database.superuser);
  const tokens = new Map([...phones.values()].map((token) => [tokenHash(token).toString('hex'), token]));
  const due = new Set<string>(
    notifications.map(({ id, recipient_id: userId }) => `${id} ${phones.get(userId)}`),
  );
  const isOfThese = ({ data }: Json) => posts.some(({ id }) => id === data.postId);
  const nameOf = ({ data, token }: Json) => `${data.notificationId} ${token}`;
  const sent = fcm.requests.map(({ message }) => message).filter(isOfThese);
  const taken = fcm.taken.map(({ message }) => message).filter(isOfThese);
  const dead = letters.map(({ notification_id: id, hash }) => `${id} ${tokens.get(hash)}`);
  return {
    due,
    taken: new Set(taken.map(nameOf)),
    dead: due.intersection(new Set(dead)),
    sent,
    strays: sent.filter((message) => !due.has(nameOf(message))),
  };
}
