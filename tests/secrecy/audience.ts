import { sql } from 'kysely';
import { timePasses } from '../support/clock.ts';
import type { Post } from '../support/frames.ts';
import { aHub, aHubPost, type Hub, join } from '../support/hubs.ts';
import type { Opine } from '../support/opine.ts';
import { aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { openPages } from './heaps.ts';

/** Ada's posts and Hubs, and a audience that votes on them. */
export interface Audience {
  readonly opine: Opine;
  readonly ada: Person;
  /** The first ten are in `elm`, the seventh to the last in `oak`, the first two in `tiny`, the last four in `unison`. */
  readonly members: readonly Person[];
  readonly guests: readonly Person[];
  readonly hubs: Readonly<Record<'elm' | 'oak' | 'tiny' | 'unison', Hub>>;
  /** A public one, one in `elm`, `oak` and `tiny`, and a locked one in `elm` and `unison`. */
  readonly posts: Readonly<Record<'square' | 'placed' | 'locked', Post>>;
}

const NOOKS = 5;

/** A audience whose votes are folded by `fold` and by nobody else. */
export async function anAudience(opine: Opine): Promise<Audience> {
  await foldsWait(opine);
  await toTheNext(opine, 'hour');
  const ada = await aHubReady(opine, 'Ada');
  const [members, guests] = await Promise.all([
    Promise.all(Array.from({ length: 16 }, () => aHubReady(opine, 'Member'))),
    Promise.all(Array.from({ length: 12 }, () => aRegistered(opine, 'Guest'))),
  ]);
  const hubOf = async (name: string, people: readonly Person[]) => {
    const hub = await aHub(ada, { name });
    await join(ada, hub, people);
    return hub;
  };
  const [elm, oak, tiny, unison] = await Promise.all([
    hubOf('Elm Street', members.slice(0, 10)),
    hubOf('Oak Street', members.slice(6)),
    hubOf('Tiny Street', members.slice(0, 2)),
    hubOf('Unison Street', members.slice(-4)),
  ]);
  // Somebody is in many Hubs, and alone with Ada in most of them.
  for (let count = 0; count < NOOKS; count += 1) await hubOf('Nook', members.slice(1, 2));
  const slider = { sliderText: 'Is this so?' };
  const posts = {
    square: await aSlider(ada),
    placed: await aHubPost(ada, [elm, oak, tiny], { visibility: 'public_hub', ...slider }),
    locked: await aHubPost(ada, [elm, unison], slider),
  };
  return { opine, ada, members, guests, hubs: { elm, oak, tiny, unison }, posts };
}

/** Ada, who asks, and a few people who answer and are in no Hub. */
export interface Round {
  readonly opine: Opine;
  readonly ada: Person;
  readonly voters: readonly Person[];
}

/** A round of so many voters whose votes are folded by `fold` and by nobody else. */
export async function aRound(opine: Opine, count = 12): Promise<Round> {
  await foldsWait(opine);
  const ada = await aHubReady(opine, 'Ada');
  return { opine, ada, voters: await Promise.all(Array.from({ length: count }, () => aRegistered(opine))) };
}

/** The worker of the server folds in a rhythm of its own: what is seen before a fold must not depend on it. */
export async function foldsWait({ database }: Opine): Promise<void> {
  await openPages(database);
  await sql`revoke execute on function app.fold_pools(smallint) from opine_worker`.execute(
    database.superuser,
  );
}

/** Moves the clock on to where an hour or a minute begins, so that what follows lies within it. */
export async function toTheNext(opine: Opine, unit: 'hour' | 'minute'): Promise<void> {
  const { rows } = await sql<{ rest: string }>`
    select (date_trunc(${unit}, app.now()) + ${`1 ${unit}`}::interval - app.now())::text as rest
  `.execute(opine.database.superuser);
  await timePasses(opine, rows[0]?.rest ?? '');
}
