import { sql } from 'kysely';
import { clientOf, type Json } from '../../support/client.ts';
import { follow } from '../../support/graph.ts';
import { aHub, aHubPost, anInvitation, type Hub, join } from '../../support/hubs.ts';
import { storedNotificationIds } from '../../support/inbox.ts';
import type { Opine } from '../../support/opine.ts';
import { type Person, signIn } from '../../support/people.ts';
import { aThought } from '../../support/posts.ts';
import { aDeviceOf } from '../../support/pushes.ts';
import { type Account, Device } from './devices.ts';
import type { Harness } from './harness.ts';
import { NotificationRules } from './model.ts';

export interface World {
  readonly harness: Harness;
  readonly opine: Opine;
  /** Whether nothing is lost and the access of device owners does not change. */
  readonly isCalm: boolean;
  readonly rules: NotificationRules;
  /** Amara, admin of the first Hub, and Jonas, of the second; Maya, of both; Noor, of none; Lena, of the first. */
  readonly people: readonly [Person, Person, Person, Person, Person];
  readonly hubs: readonly [Json, Json];
  readonly posts: Json[];
  readonly comments: Json[];
  readonly blocks: (readonly [Person, Person])[];
  /** Maya's, Jonas's and Noor's. */
  readonly accounts: readonly Account[];
  readonly devices: readonly Device[];
  /** A device whose inbox has one notification and never changes. */
  readonly observer: Device;
  /** The ids of waiting notifications by device token. */
  readonly pushes: Map<string, Set<string>>;
  /** The payload of each notification by id; every delivery must repeat it. */
  readonly payloads: Map<string, string>;
}

export const NAMES = ['Amara', 'Jonas', 'Maya', 'Noor', 'Lena'] as const;

/** Creates a world whose devices are not connected yet. */
export async function createWorld(harness: Harness, isCalm: boolean): Promise<World> {
  const { opine } = harness;
  const { people, observer: somebody } = await createPeople(harness, isCalm);
  const [amara, jonas, maya, noor, lena] = people;
  const hubs = [await aHub(amara, { name: 'Elm' }), await aHub(jonas, { name: 'Oak' })] as const;
  const [elm, oak] = hubs;
  await Promise.all([join(amara, elm, [maya, lena, jonas]), join(jonas, oak, [amara])]);
  await join(jonas, oak, [maya]);
  await anInvitation(amara, elm, noor);
  const posts = [await aHubPost(amara, [elm, oak]), await aThought(maya), await aThought(jonas)];
  const rules = new NotificationRules();
  for (const person of [amara, maya, lena, jonas]) rules.hasJoined(person, elm);
  for (const person of [jonas, amara, maya]) rules.hasJoined(person, oak);
  for (const post of posts) rules.hasPublished(post.author, post);
  const accounts = [anAccount('Maya', maya), anAccount('Jonas', jonas), anAccount('Noor', noor)] as const;
  const [mayas, jonass, noors] = accounts;
  const devices = [
    await aDevice("Maya's phone", mayas, maya, 4),
    await aDevice("Jonas's phone", jonass, jonas, 3),
    await aDevice("Noor's phone", noors, noor, 5),
  ];
  if (!isCalm) devices.push(await aDevice("Maya's tablet", mayas, await signedInAgain(opine, maya), 7));
  const observer = await connectObserver(opine, somebody, lena);
  const [pushes, payloads] = [new Map<string, Set<string>>(), new Map<string, string>()];
  const things = { posts, comments: [], blocks: [], pushes, payloads };
  return { harness, opine, isCalm, rules, people, hubs, accounts, devices, observer, ...things };
}

/** Creates the people; Noor is Hub-ready only if required. */
async function createPeople({ people }: Harness, isNoorReady: boolean) {
  const but = { unready: isNoorReady ? null : 'Noor', withCode: 'Maya' };
  const [amara, jonas, maya, noor, lena, observer] = await people([...NAMES, 'Observer'], but);
  if (!amara || !jonas || !maya || !noor || !lena || !observer) throw new Error('A person is missing.');
  return { people: [amara, jonas, maya, noor, lena] as const, observer };
}

async function aDevice(name: string, account: Account, person: Person, pageSize: number): Promise<Device> {
  return new Device({ name, account, person, pageSize, token: await aDeviceOf(person) });
}

async function signedInAgain(opine: Opine, person: Person): Promise<Person> {
  const session = await signIn(opine, person.phoneNumber);
  return { ...person, ...clientOf(opine.url, session.accessToken), session };
}

/** Connects a person with one notification, who gets no other. */
async function connectObserver(opine: Opine, person: Person, follower: Person): Promise<Device> {
  await follow(follower, person);
  const account = {
    ...anAccount('The observer', person),
    stored: new Set(await storedNotificationIds(opine, person)),
  };
  // A later signal of it must be a republished one.
  await sql`delete from app.outbox where notification_id = any (${[...account.stored]}::uuid[])`.execute(
    opine.database.superuser,
  );
  const observer = new Device({ name: "The observer's phone", account, person, pageSize: 1, token: null });
  await observer.connect(opine);
  return observer;
}

function anAccount(name: string, person: Person): Account {
  return { name, person, version: 0, stored: new Set(), due: new Set() };
}

export function adminOf({ people, hubs }: World, { id }: Hub): Person {
  return id === hubs[0].id ? people[0] : people[1];
}

/** Returns the devices that are not logged out. */
export function activeDevices({ devices }: World): Device[] {
  return devices.filter(({ isLoggedOut }) => !isLoggedOut);
}
