import { sql, type Transaction } from 'kysely';
import { expect, inject } from 'vitest';
import type { DB } from '../../src/db/types.ts';
import { type Client, expectOk, type Json, type Reply } from './client.ts';
import type { TestRole } from './database.ts';
import type { Hub } from './hubs.ts';
import { typesAbout } from './invitations.ts';
import { advanceTime, type Opine, type WithDatabase } from './opine.ts';
import { hubReadyPeople, type Person } from './people.ts';
import { enterCode, requestOtp } from './sign-in.ts';

/** The orders of `sendConcurrently`: the deep tests try all four, other runs one of each kind. */
export const ROUNDS = inject('depth') > 1 ? [1, 2, 3, 4] : [2, 3];

export const OK = 200;

export async function fourPeople(opine: Opine) {
  const [amara, jonas, bo, sam] = await hubReadyPeople(opine, 'Amara', 'Jonas', 'Bo', 'Sam');
  return { amara, jonas, bo, sam };
}

/** As `sendConcurrently`, after `people` have used the Hub. */
export async function raceInHub<A extends Requests>(
  opine: Opine,
  round: number,
  { id }: Hub,
  people: readonly Client[],
  ...requests: A
): Promise<{ [Index in keyof A]: Reply }> {
  // The first use of a Hub is recorded before anything else, so record it now.
  for (const person of people) await person.get(`/hubs/${id}/members`);
  return sendConcurrently(opine, round, ...requests);
}

export function outcomesOf(replies: readonly Reply[]): (number | string)[] {
  return replies.map(outcomeOf);
}

export function sortedOutcomes(replies: readonly Reply[]): string[] {
  return outcomesOf(replies).map(String).sort();
}

export async function countEvents(opine: Opine, hub: Json, person: Person, type: string): Promise<number> {
  return (await typesAbout(opine, hub, person)).filter((each) => each === type).length;
}

/** Sends a request while a merge of `person` into `owner` is done but not committed. */
export async function duringMerge(
  opine: Opine,
  person: Person,
  owner: Person,
  send: () => Promise<Reply>,
): Promise<Reply> {
  await advanceTime(opine, '1 minute');
  await expectOk(requestOtp(person, owner.phoneNumber));
  let merging: Promise<Reply> | undefined;
  const reply = await duringTransaction(opine, send, async (holder) => {
    // Block the merge at its last step, the deletion of sessions.
    await sql`lock table app.sessions in share mode`.execute(holder);
    merging = enterCode(person, owner.phoneNumber);
    // Tasks of the worker may wait as well.
    await expect.poll(() => countLockWaits(opine, 'opine_gateway')).toBe(1);
  });
  const merged = (await merging)?.data.merged;
  if (merged !== true) throw new Error('The accounts were not merged.');
  return reply;
}

/**
 * Sends a request while the transaction of `hold` is open. The request must finish or wait for a lock before the
 * commit, and before `then` in the same transaction.
 */
export async function duringTransaction<T = Reply>(
  { database }: Opine,
  send: () => Promise<T>,
  hold: (holder: Transaction<DB>) => Promise<unknown>,
  then?: (holder: Transaction<DB>) => Promise<unknown>,
): Promise<T> {
  let isAnswered = false;
  const sent: Promise<T>[] = [];
  await database.superuser.transaction().execute(async (holder) => {
    await hold(holder);
    const waitingBefore = await countLockWaits({ database });
    sent.push(
      send().finally(() => {
        isAnswered = true;
      }),
    );
    await expect
      .poll(async () => isAnswered || (await countLockWaits({ database })) > waitingBefore)
      .toBe(true);
    await then?.(holder);
  });
  const [reply] = await Promise.all(sent);
  if (reply === undefined) throw new Error('Nothing was sent.');
  return reply;
}

/** Counts connections that wait for a lock, optionally of one login. */
export async function countLockWaits(
  { database }: WithDatabase,
  login: TestRole | null = null,
): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and usename = coalesce(${login}, usename)
  `.execute(database.superuser);
  return rows.length;
}

export type Requests = readonly (() => Promise<Reply>)[];

/**
 * Sends `requests` concurrently and returns their replies. Even rounds let no request write before all have reached
 * their first write; rounds 3 and 4 reverse the order.
 */
async function sendConcurrently<A extends Requests>(
  opine: Opine,
  round: number,
  ...requests: A
): Promise<{ [Index in keyof A]: Reply }> {
  const isReversed = round > 2;
  const order = isReversed ? requests.toReversed() : requests;
  const sent =
    round % 2 === 0 ? await sendBeforeAnyWrites(opine, order) : { replies: order.map((send) => send()) };
  const replies = await Promise.all(sent.replies);
  return (isReversed ? replies.toReversed() : replies) as { [Index in keyof A]: Reply };
}

function sendBeforeAnyWrites(
  { database }: Opine,
  requests: Requests,
): Promise<{ replies: readonly Promise<Reply>[] }> {
  return database.superuser.transaction().execute(async (holder) => {
    await sql`
      lock table app.hubs, app.memberships, app.hub_invitations, app.invite_links, app.join_requests, app.events
      in share mode`.execute(holder);
    let answered = 0;
    const replies = requests.map((send) =>
      send().finally(() => {
        answered += 1;
      }),
    );
    const stopped = async () => answered + (await countLockWaits({ database }));
    await expect.poll(stopped).toBeGreaterThanOrEqual(requests.length);
    return { replies };
  });
}

/** Returns the error code, or the status of a success. */
export function outcomeOf({ status, error }: Reply): number | string {
  return error?.code ?? status;
}
