import { sql } from 'kysely';
import { clientOf, type Json } from '../../support/client.ts';
import { follow } from '../../support/graph.ts';
import { aHub, aHubPost, anInvitation, type Hub, join } from '../../support/hubs.ts';
import { storedFor } from '../../support/notified-by-hand.ts';
import type { Opine } from '../../support/opine.ts';
import { type Person, signIn } from '../../support/people.ts';
import { aThought } from '../../support/posts.ts';
import { aDeviceOf } from '../../support/pushes.ts';
import { type Account, Device } from './devices.ts';
import { Ledger } from './ledger.ts';
import type { Stage } from './stage.ts';

/** People, their Hubs, and the devices of some of them. */
export interface PhoneWorld {
  readonly stage: Stage;
  readonly opine: Opine;
  /** Whether nothing is lost, and nobody who has a device may see more or less than before. */
  readonly isCalm: boolean;
  readonly ledger: Ledger;
  /** Amara, admin of the first Hub, and Jonas, of the second; Maya, of both; Noor, of none; Lena, of the first. */
  readonly people: readonly [Person, Person, Person, Person, Person];
  readonly hubs: readonly [Json, Json];
  readonly posts: Json[];
  readonly comments: Json[];
  readonly blocks: (readonly [Person, Person])[];
  /** Maya's, Jonas's and Noor's. */
  readonly accounts: readonly Account[];
  readonly devices: readonly Device[];
  /** Somebody to whom nothing happens any more, with one notification. */
  readonly observer: Device;
  /** What waits to be sent to devices, by their tokens. */
  readonly pushes: Map<string, Set<string>>;
  /** What was said of each notification, by its id. */
  readonly said: Map<string, string>;
}

export const NAMES = ['Amara', 'Jonas', 'Maya', 'Noor', 'Lena'] as const;

/** A world in which nobody's devices have been turned on. */
export async function aPhoneWorld(stage: Stage, isCalm: boolean): Promise<PhoneWorld> {
  const { opine } = stage;
  const { people, observer: somebody } = await thePeople(stage, isCalm);
  const [amara, jonas, maya, noor, lena] = people;
  const hubs = [await aHub(amara, { name: 'Elm' }), await aHub(jonas, { name: 'Oak' })] as const;
  const [elm, oak] = hubs;
  await Promise.all([join(amara, elm, [maya, lena, jonas]), join(jonas, oak, [amara])]);
  await join(jonas, oak, [maya]);
  await anInvitation(amara, elm, noor);
  const posts = [await aHubPost(amara, [elm, oak]), await aThought(maya), await aThought(jonas)];
  const ledger = new Ledger();
  for (const person of [amara, maya, lena, jonas]) ledger.hasJoined(person, elm);
  for (const person of [jonas, amara, maya]) ledger.hasJoined(person, oak);
  for (const post of posts) ledger.hasPublished(post.author, post);
  const accounts = [anAccount('Maya', maya), anAccount('Jonas', jonas), anAccount('Noor', noor)] as const;
  const [mayas, jonass, noors] = accounts;
  const devices = [
    await aDevice("Maya's phone", mayas, maya, 4),
    await aDevice("Jonas's phone", jonass, jonas, 3),
    await aDevice("Noor's phone", noors, noor, 5),
  ];
  if (!isCalm) devices.push(await aDevice("Maya's tablet", mayas, await signedInAgain(opine, maya), 7));
  const observer = await anObserver(opine, somebody, lena);
  const [pushes, said] = [new Map<string, Set<string>>(), new Map<string, string>()];
  const things = { posts, comments: [], blocks: [], pushes, said };
  return { stage, opine, isCalm, ledger, people, hubs, accounts, devices, observer, ...things };
}

/** Noor is not Hub-ready, unless she has to be from the beginning. */
async function thePeople({ people }: Stage, isNoorReady: boolean) {
  const but = { unready: isNoorReady ? null : 'Noor', withCode: 'Maya' };
  const [amara, jonas, maya, noor, lena, observer] = await people([...NAMES, 'Witness'], but);
  if (!amara || !jonas || !maya || !noor || !lena || !observer) throw new Error('Somebody is missing.');
  return { people: [amara, jonas, maya, noor, lena] as const, observer };
}

async function aDevice(name: string, account: Account, person: Person, pageSize: number): Promise<Device> {
  return new Device({ name, account, person, pageSize, token: await aDeviceOf(person) });
}

async function signedInAgain(opine: Opine, person: Person): Promise<Person> {
  const session = await signIn(opine, person.phoneNumber);
  return { ...person, ...clientOf(opine.url, session.accessToken), session };
}

/** Somebody with a stream, a notification, and no more of either. */
async function anObserver(opine: Opine, person: Person, follower: Person): Promise<Device> {
  await follow(follower, person);
  const account = { ...anAccount('A observer', person), stored: new Set(await storedFor(opine, person)) };
  // Whoever asks for word of it is to hear that word, and not the first.
  await sql`delete from app.outbox where notification_id = any (${[...account.stored]}::uuid[])`.execute(
    opine.database.superuser,
  );
  const observer = new Device({ name: "A observer's phone", account, person, pageSize: 1, token: null });
  await observer.connect(opine);
  return observer;
}

function anAccount(name: string, person: Person): Account {
  return { name, person, version: 0, stored: new Set(), due: new Set() };
}

/** Whoever runs a Hub. */
export function adminOf({ people, hubs }: PhoneWorld, { id }: Hub): Person {
  return id === hubs[0].id ? people[0] : people[1];
}

/** The devices that nobody has logged out of. */
export function using({ devices }: PhoneWorld): Device[] {
  return devices.filter(({ isLoggedOut }) => !isLoggedOut);
}
