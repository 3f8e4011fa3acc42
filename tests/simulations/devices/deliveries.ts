import type { Json } from '../../support/client.ts';
import type { StreamEvent } from '../../support/event-stream.ts';
import { wholeInbox } from '../../support/inbox-pagination.ts';
import { storedFor } from '../../support/notified-by-hand.ts';
import { republish } from '../../support/streams.ts';
import type { Account, Device } from './devices.ts';
import type { PhoneWorld } from './world.ts';

/** What each account may be told of at the moment: in its inbox, unread, and of no Hub that it has muted. */
async function allDue({ accounts, ledger }: PhoneWorld): Promise<Map<Account, Set<string>>> {
  const each = accounts.map(async (account) => {
    const { person } = account;
    const items = await wholeInbox(person);
    const mayBeTold = ({ read, type, hub }: Json) =>
      !read && !ledger.isMuted(person, { type, hubId: hub?.id });
    return [account, new Set(items.filter(mayBeTold).map(({ id }) => id))] as const;
  });
  return new Map(await Promise.all(each));
}

/**
 * The worker publishes signals: whoever has a stream open hears of all that is new and due, and of nothing else. Devices are
 * sent it too where the stage sends at once.
 */
export async function publishes(world: PhoneWorld): Promise<void> {
  const { stage } = world;
  const sent = await sentDuring(world, () => stage.publishes());
  await isPublished(world, stage.sendsAtOnce ? sent : null);
}

/** Checks that streams, and devices unless `sent` is null, were told of what is new and due. */
async function isPublished(world: PhoneWorld, sent: readonly Json[] | null): Promise<void> {
  const due = await allDue(world);
  const fresh = new Map<Account, Set<string>>();
  for (const account of world.accounts) {
    const stored = new Set(await storedFor(world.opine, account.person));
    const freshOnes = due.get(account)?.intersection(stored.difference(account.stored)) ?? new Set();
    account.stored = stored;
    for (const { token, isLoggedOut } of devicesOf(world, account)) {
      if (token !== null && !isLoggedOut) world.pushes.set(token, waitingFor(world, token).union(freshOnes));
    }
    fresh.set(account, freshOnes);
  }
  if (sent !== null) {
    await areSent(world, due, sent);
    world.pushes.clear();
  }
  await areHeard(world, fresh);
}

/** Word of what was published before comes to those who hold streams again. */
export async function comesAgain(world: PhoneWorld, account: Account, ids: readonly string[]): Promise<void> {
  const due = await allDue(world);
  for (const [one, all] of due) due.set(one, one === account ? all.intersection(new Set(ids)) : new Set());
  await republish(world.opine, account.person, ids);
  await areHeard(world, due);
}

/** What is in `due`, and nothing that never was, comes to every stream that is open. */
async function areHeard(world: PhoneWorld, due: ReadonlyMap<Account, ReadonlySet<string>>): Promise<void> {
  await untilAllIsHeard(world);
  for (const device of world.devices) {
    const { account, isLoggedOut } = device;
    const ids = isLoggedOut ? [] : [...(due.get(account) ?? [])];
    for (const id of ids) account.due.add(id);
    for (const heard of await device.collect(ids)) isFair(world, device, heard);
  }
}

/** A observer hears something of theirs, which comes behind everything of which word has been sent. */
async function untilAllIsHeard({ opine, observer }: PhoneWorld): Promise<void> {
  const { person, stored } = observer.account;
  await republish(opine, person, [...stored]);
  await observer.collect([...stored]);
}

/** @throws where a device was told what its owner must not hear */
function isFair(world: PhoneWorld, device: Device, { id, data }: StreamEvent): void {
  const { account, isLoggedOut } = device;
  if (id !== data.notificationId) throw new Error(`${device.name} hears of ${id} as ${data.notificationId}`);
  const isDue = account.due.has(data.notificationId);
  const objection = isLoggedOut ? 'they have logged out' : isDue ? null : 'it never was due to be told';
  isAsBefore(world, device, data, objection ?? world.ledger.objectionTo(account.person, data));
}

function isAsBefore({ said }: PhoneWorld, device: Device, data: Json, objection: string | null): void {
  const { inboxVersion: _, ...payload } = data;
  const told = JSON.stringify(
    Object.entries(payload)
      .map(([name, value]) => [name, String(value)])
      .sort(),
  );
  const before = said.get(data.notificationId) ?? told;
  said.set(data.notificationId, told);
  if (before !== told) throw new Error(`${device.name} is told ${told}, which was ${before}`);
  if (objection !== null) throw new Error(`${device.name} is told ${told}, but ${objection}`);
}

/** The worker sends what waits for devices, as far as it is due by now; it may die before it notes that. */
export async function pushes(world: PhoneWorld, dies: boolean): Promise<void> {
  const { stage } = world;
  const sent = await sentDuring(world, () => stage.pushes(dies));
  if (stage.doesAllAtOnce) return isPublished(world, sent);
  await areSent(world, await allDue(world), sent);
  if (!dies) world.pushes.clear();
}

/** Returns the messages that devices are sent in a turn of the worker. */
async function sentDuring({ stage }: PhoneWorld, turn: () => Promise<void>): Promise<Json[]> {
  const { requests } = stage.fcm;
  const from = requests.length;
  await turn();
  return requests.slice(from).map(({ message }) => message);
}

/** Checks that what waits for devices and is in `due` was sent to them, and nothing else. */
async function areSent(
  world: PhoneWorld,
  due: ReadonlyMap<Account, ReadonlySet<string>>,
  messages: readonly Json[],
): Promise<void> {
  for (const device of world.devices) {
    const { token, account, isLoggedOut } = device;
    if (token === null) continue;
    const sent = messages.filter((message) => message.token === token);
    const expected = waitingFor(world, token).intersection(
      isLoggedOut ? new Set() : (due.get(account) ?? new Set()),
    );
    await expectSame(world, device, expected, new Set(sent.map(({ data }) => data.notificationId)));
    // What is not due when a worker takes it waits no longer, whatever becomes of the worker.
    world.pushes.set(token, expected);
    for (const message of sent) isSent(world, device, message);
  }
}

async function expectSame(
  { stage }: PhoneWorld,
  { name }: Device,
  expected: ReadonlySet<string>,
  sent: ReadonlySet<string>,
): Promise<void> {
  const differences = [...expected.symmetricDifference(sent)];
  if (differences.length === 0) return;
  const explanation = await stage.explainPushes(differences);
  throw new Error(
    `${name} was sent ${sent.size} of ${expected.size}: wrong are ${differences}; ${explanation}`,
  );
}

function isSent(world: PhoneWorld, device: Device, { data, android, apns }: Json): void {
  const { notificationId: id } = data;
  const ids = [android.collapse_key, android.notification.tag, apns.headers['apns-collapse-id']];
  if (ids.some((one) => one !== id)) throw new Error(`${device.name} is sent ${id} as ${ids}`);
  isAsBefore(world, device, data, world.ledger.objectionTo(device.account.person, data));
  device.push(data);
}

function devicesOf({ devices }: PhoneWorld, account: Account): Device[] {
  return devices.filter((device) => device.account === account);
}

function waitingFor(world: PhoneWorld, token: string): Set<string> {
  return world.pushes.get(token) ?? new Set();
}
