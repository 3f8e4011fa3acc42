import { withClient } from '../local/connection.ts';
import { FIRST_READING_PLACE, HUBS, type HubSize, LARGE, LISTER, memberOf } from './hub-sizes.ts';
import { FAMILY_NAMES } from './names.ts';
import { idOf } from './population.ts';
import type { Database } from './world.ts';

/** Searches of each kind. */
const EACH = 40;

/** Members of each Hub, of whom one after the other is looked for. */
const SAMPLE = 500;

/** A text that is looked for in a Hub by one of its members. */
export interface Search {
  readonly kind: string;
  readonly hub: number;
  readonly reader: number;
  readonly text: string;
}

interface Member {
  readonly username: string;
  readonly fullName: string;
}

/** What is typed by whoever looks for the first of some members, each of whom is found by their name. */
type Typed = (members: readonly Member[]) => string;

const given: Typed = ([member]) => member?.fullName.split(' ')[0] ?? '';
const family: Typed = ([member]) => member?.fullName.split(' ')[1] ?? '';

const rareFamily: Typed = (members) =>
  members.map((member) => family([member])).find((name) => !FAMILY_NAMES.includes(name)) ?? family(members);

const KINDS: ReadonlyMap<string, Typed> = new Map([
  ['one letter', (members) => beginning(given(members), 1)],
  ['two letters', (members) => beginning(family(members), 2)],
  ['given name', given],
  ['rare family name', rareFamily],
  ['username', ([member]) => member?.username ?? ''],
  ['what nobody is called', ([member]) => `qxz ${member?.username}`],
]);

const COUNT = EACH * KINDS.size;

/** So many Hubs lie between those that are alike and searched one after the other. */
export const SEARCHED_EVERY = Math.floor(HUBS / COUNT);

/** Searches in Hubs that are alike, each in another one, of each kind in turn. */
export function searchesInAlike(database: Database, size: HubSize): Promise<Search[]> {
  return withMembers(database, async (membersOf) => {
    const searches: Search[] = [];
    for (const [n, [kind, typed]] of turns().entries()) {
      const hub = n * SEARCHED_EVERY;
      const reader = memberOf(size, hub, FIRST_READING_PLACE);
      searches.push({ kind, hub, reader, text: typed(await membersOf(hub)) });
    }
    return searches;
  });
}

/** Searches in the large Hub, of each kind in turn. */
export function searchesInLarge(database: Database): Promise<Search[]> {
  return withMembers(database, async (membersOf) => {
    const members = await membersOf(LARGE);
    return turns().map(([kind, typed], n) => ({
      kind,
      hub: LARGE,
      reader: LISTER + 1 + n,
      text: typed(members.slice(n)),
    }));
  });
}

function turns(): [string, Typed][] {
  return Array.from({ length: EACH }, () => [...KINDS]).flat();
}

/** Lets a function look up those members of Hubs who have no other name there than their public one. */
function withMembers<T>(
  { superuserUrl }: Database,
  use: (membersOf: (hub: number) => Promise<Member[]>) => Promise<T>,
): Promise<T> {
  return withClient(superuserUrl, (client) =>
    use(async (hub) => {
      const { rows } = await client.query<Member>(
        `select p.username, p.full_name as "fullName"
         from app.memberships as m
         join app.profiles as p on p.user_id = m.user_id
         where m.hub_id = $1 and not exists (select from app.hub_profiles as h where h.user_id = m.user_id)
         order by m.user_id
         limit ${SAMPLE}`,
        [idOf(hub)],
      );
      return rows;
    }),
  );
}

function beginning(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('');
}
