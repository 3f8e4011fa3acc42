import { expectOk, type Json } from '../../support/client.ts';
import { follow } from '../../support/graph.ts';
import type { Hub } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import type { OpineWithStorage } from '../../support/storage.ts';
import { type Caller, callerOf, callersOf } from './callers.ts';
import { candidatesOf, type Slots } from './candidates.ts';
import { type Contents, createContents, endMemberships } from './contents.ts';
import { createPeople, type People } from './people.ts';
import { type Secret, secretsOf } from './secrets.ts';

/** A Hub with secrets, and the callers who search for them. */
export interface SecretHub {
  readonly hub: Hub;
  readonly callers: ReadonlyMap<string, Caller>;
  /** Amara, who sees everything in the Hub. */
  readonly admin: Caller;
  readonly secrets: readonly Secret[];
  readonly candidates: Slots;
  /** Returns what members see of the Hub, except what non-members may change. */
  snapshot(): Promise<Snapshot>;
}

export interface Snapshot {
  readonly seen: Json;
  /** The users with a join request. */
  readonly requesters: readonly string[];
  readonly linkUses: number;
}

/** Creates the Hub, the other Hubs and the callers. */
export async function createSecretHub(opine: OpineWithStorage): Promise<SecretHub> {
  const people = await createPeople(opine);
  const contents = await createContents(people, opine);
  await endMemberships(people, contents);
  for (const person of [people.registered, people.confirmed, ...Object.values(people.ready)]) {
    await follow(person, people.amara.person, people.chidi.person);
  }
  const callers = callersOf(people, contents);
  return {
    hub: contents.hub,
    callers: new Map(callers.map((caller) => [caller.name, caller])),
    admin: callerOf('an admin', 4, people.amara.person, contents.choir),
    secrets: secretsOf(people, contents),
    candidates: await candidatesOf(people, contents),
    snapshot: () => snapshotOf(people, contents),
  };
}

async function snapshotOf({ amara, bela, chidi, dara }: People, { hub }: Contents): Promise<Snapshot> {
  const read = (person: Person, path: string) => expectOk(person.get(path));
  const inHub = (path: string, { person } = amara) => read(person, `/hubs/${hub.id}${path}`);
  const itemsOf = async (path: string): Promise<Json[]> => (await inHub(`${path}?limit=50`)).items;
  const { activeUsers24h, ...profile } = await inHub('');
  const links = await itemsOf('/invite-links');
  const discussions = await itemsOf('/discussions');
  const requests = await itemsOf('/join-requests');
  return {
    seen: {
      profile,
      members: await itemsOf('/members'),
      admins: await itemsOf('/admins'),
      invitations: await itemsOf('/invitations'),
      links: links.map(({ useCount, ...link }) => link),
      feed: (await itemsOf('/feed')).map(({ id, hubs, article, thoughtText }) => ({
        id,
        hubs,
        article,
        thoughtText,
      })),
      discussions: discussions.map(withoutNames),
      messages: withoutNames(await forEach(discussions, ({ id }) => itemsOf(`/discussions/${id}/messages`))),
      settings: await forEach([amara, bela, chidi, dara], (one) => inHub('/notification-settings', one)),
      saved: withoutNames(await read(dara.person, '/users/me/saved-discussions')),
    },
    requesters: requests.map(({ user }) => user.userId).sort(),
    linkUses: links.reduce((sum, { useCount }) => sum + useCount, 0),
  };
}

function forEach<One>(all: readonly One[], read: (one: One) => Promise<Json>): Promise<Json[]> {
  return Promise.all(all.map(read));
}

/** Returns the value without the names of former members, who may change them. */
function withoutNames(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    inner?.isFormerMember ? { userId: inner.userId } : inner,
  );
}
