import type { Json } from '../../support/client.ts';
import { follow, granted } from '../../support/graph.ts';
import type { Hub } from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import type { StoringOpine } from '../../support/storage.ts';
import { type Caller, callerOf, callersOf } from './secret-hub-callers.ts';
import { candidatesOf, type Slots } from './secret-hub-candidates.ts';
import { type People, thePeople } from './secret-hub-people.ts';
import { type Secret, secretsOf } from './secret-hub-secrets.ts';
import { part, type Things, theThings } from './secret-hub-things.ts';

/** A Hub full of secrets, with those who try to learn them. */
export interface SecretHub {
  readonly hub: Hub;
  readonly callers: ReadonlyMap<string, Caller>;
  /** Amara, to whom nothing of it is hidden. */
  readonly admin: Caller;
  readonly secrets: readonly Secret[];
  /** What can stand for each parameter of a path, each field of a query or a body that holds ids. */
  readonly candidates: Slots;
  /** The Hub as its members see it, without what non-members may change by what is theirs. */
  snapshot(): Promise<Snapshot>;
}

export interface Snapshot {
  readonly seen: Json;
  /** Who asks to be let in. */
  readonly requesters: readonly string[];
  readonly linkUses: number;
}

/** Builds the Hub, its neighbours and everybody who calls. */
export async function aSecretHub(opine: StoringOpine): Promise<SecretHub> {
  const people = await thePeople(opine);
  const things = await theThings(people);
  await part(people, things);
  for (const person of [people.registered, people.confirmed, ...Object.values(people.ready)]) {
    await follow(person, people.amara.person, people.chidi.person);
  }
  const callers = callersOf(people, things);
  return {
    hub: things.hub,
    callers: new Map(callers.map((caller) => [caller.name, caller])),
    admin: callerOf('an admin', 4, people.amara.person, things.choir),
    secrets: secretsOf(people, things),
    candidates: await candidatesOf(people, things),
    snapshot: () => snapshotOf(people, things),
  };
}

async function snapshotOf({ amara, bela, chidi, dara }: People, { hub }: Things): Promise<Snapshot> {
  const read = (person: Person, path: string) => granted(person.get(path));
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

/** What is read for each of `all`. */
function forEach<One>(all: readonly One[], read: (one: One) => Promise<Json>): Promise<Json[]> {
  return Promise.all(all.map(read));
}

/** The same without the names of those who left, which these may change. */
function withoutNames(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    inner?.isFormerMember ? { userId: inner.userId } : inner,
  );
}
