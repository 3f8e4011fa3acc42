import type { Client, Json } from './client.ts';
import { everyPage, granted, idsOf } from './graph.ts';
import { aHub, type Hub, join } from './hubs.ts';
import type { Opine } from './opine.ts';
import { aHubReady, type Person } from './people.ts';

/** The lists of those who are in a Hub. */
export const LISTS = ['members', 'admins'] as const;

/** A Hub of Amara's with `count` others, in the order in which they came; with her, the first. */
export async function aHubOf(
  opine: Opine,
  count: number,
  role?: 'manager',
): Promise<{ hub: Json; people: Person[]; amara: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const others = await Promise.all(Array.from({ length: count }, () => aHubReady(opine)));
  await join(amara, hub, others, role);
  return { hub, amara, people: [amara, ...others] };
}

/** Those in a list of `hub`, from page to page. */
export async function membersOf(
  viewer: Client,
  { id }: Hub,
  query: object = {},
  list = 'members',
): Promise<Json[]> {
  return (await everyPage(viewer, `/hubs/${id}/${list}`, query)).flat();
}

export async function idsIn(viewer: Client, hub: Hub, query: object = {}, list?: string): Promise<string[]> {
  return (await membersOf(viewer, hub, query, list)).map(({ userId }) => userId);
}

/** The ids of `people`, who were given in the order in which they came. */
export function newestFirst(people: readonly Person[]): string[] {
  return idsOf(people).reverse();
}

/** `person` goes by `fields` in Hubs. */
export function callIn(person: Client, fields: object): Promise<Json> {
  return granted(person.patch('/users/me/hub-profile', fields));
}
