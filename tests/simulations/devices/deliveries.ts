import type { Json } from '../../support/client.ts';
import { storedNotificationIds, wholeInbox } from '../../support/inbox.ts';
import { republish, type StreamEvent } from '../../support/streams.ts';
import type { Account, Device } from './devices.ts';
import type { World } from './world.ts';

/** What a renewed notification has of its newest event. */
const NEWEST = ['actorId', 'actorIsAnonymous', 'invitationId'];

/** Returns the due notifications of each account: in the inbox, unread, and of no muted Hub. */
async function allDue({ accounts, rules }: World): Promise<Map<Account, Set<string>>> {
  const each = accounts.map(async (account) => {
    const { person } = account;
    const items = await wholeInbox(person);
    rules.hasSeen(person, items);
    const isDue = ({ read, type, hub }: Json) => !read && !rules.isMuted(person, { type, hubId: hub?.id });
    return [account, new Set(items.filter(isDue).map(({ id }) => id))] as const;
  });
  return new Map(await Promise.all(each));
}

/** Publishes signals, and checks that streams (and devices, if pushes are sent at once) got everything new and due. */
export async function publish(world: World): Promise<void> {
  const { harness } = world;
  const sent = await messagesDuring(world, () => harness.publish());
  await checkPublished(world, harness.sendsAtOnce ? sent : null);
}

/** Checks that streams, and devices unless `sent` is null, got what is new and due. */
async function checkPublished(world: World, sent: readonly Json[] | null): Promise<void> {
  const due = await allDue(world);
  const fresh = new Map<Account, Set<string>>();
  for (const account of world.accounts) {
    const stored = new Set(await storedNotificationIds(world.opine, account.person));
    const freshOnes = due.get(account)?.intersection(stored.difference(account.stored)) ?? new Set();
    account.stored = stored;
    for (const id of due.get(account) ?? []) if (world.rules.isRenewable(id)) account.due.add(id);
    for (const { token, isLoggedOut } of devicesOf(world, account)) {
      const pushed = [...freshOnes].filter((id) => world.rules.isPushed(account.person, id));
      if (token !== null && !isLoggedOut)
        world.pushes.set(token, waitingFor(world, token).union(new Set(pushed)));
    }
    fresh.set(account, freshOnes);
  }
  if (sent !== null) {
    await expectSent(world, due, sent);
    world.pushes.clear();
  }
  await expectHeard(world, fresh);
}

/** Publishes old signals again and checks that open streams get them. */
export async function republishAll(world: World, account: Account, ids: readonly string[]): Promise<void> {
  const due = await allDue(world);
  for (const [one, all] of due) due.set(one, one === account ? all.intersection(new Set(ids)) : new Set());
  await republish(world.opine, account.person, ids);
  await expectHeard(world, due);
}

/** Checks that every open stream gets what is due and nothing that never was. */
async function expectHeard(world: World, due: ReadonlyMap<Account, ReadonlySet<string>>): Promise<void> {
  await waitForStreams(world);
  for (const device of world.devices) {
    const { account, isLoggedOut } = device;
    const ids = isLoggedOut ? [] : [...(due.get(account) ?? [])];
    for (const id of ids) account.due.add(id);
    for (const heard of await device.collect(ids)) checkSignal(world, device, heard);
  }
}

/** Waits until the observer gets a signal, which Postgres delivers after all earlier ones. */
async function waitForStreams({ opine, observer }: World): Promise<void> {
  const { person, stored } = observer.account;
  await republish(opine, person, [...stored]);
  await observer.collect([...stored]);
}

/** @throws Error if a device got a signal that its owner must not get */
function checkSignal(world: World, device: Device, { id, data }: StreamEvent): void {
  const { account, isLoggedOut } = device;
  if (id !== data.notificationId) throw new Error(`${device.name} gets ${id} as ${data.notificationId}`);
  const isDue = account.due.has(data.notificationId);
  const objection = isLoggedOut ? 'it is logged out' : isDue ? null : 'it never was due';
  checkPayload(world, device, data, objection ?? world.rules.objectionTo(account.person, data));
}

function checkPayload(
  { payloads, rules }: World,
  device: Device,
  data: Json,
  objection: string | null,
): void {
  const changing = [
    'inboxVersion',
    ...(rules.isRenewable(data.notificationId) ? NEWEST : []),
    // The row of a request is that of the next one (docs/product.md H30).
    ...(data.type === 'hub_join_request_created' ? ['joinRequestId'] : []),
  ];
  const text = JSON.stringify(
    Object.entries(data)
      .filter(([name]) => !changing.includes(name))
      .map(([name, value]) => [name, String(value)])
      .sort(),
  );
  const before = payloads.get(data.notificationId) ?? text;
  payloads.set(data.notificationId, text);
  if (before !== text) throw new Error(`${device.name} gets ${text} after ${before}`);
  if (objection !== null) throw new Error(`${device.name} gets ${text}, but ${objection}`);
}

/** Sends waiting pushes and checks them; with `dies` the worker crashes before it records them. */
export async function sendPushes(world: World, dies: boolean): Promise<void> {
  const { harness } = world;
  const sent = await messagesDuring(world, () => harness.sendPushes(dies));
  if (harness.doesAllAtOnce) return checkPublished(world, sent);
  await expectSent(world, await allDue(world), sent);
  if (!dies) world.pushes.clear();
}

/** Returns the push messages sent during a task. */
async function messagesDuring({ harness }: World, task: () => Promise<void>): Promise<Json[]> {
  const { requests } = harness.fcm;
  const from = requests.length;
  await task();
  return requests.slice(from).map(({ message }) => message);
}

/** Checks that devices were sent exactly the waiting notifications that are due. */
async function expectSent(
  world: World,
  due: ReadonlyMap<Account, ReadonlySet<string>>,
  messages: readonly Json[],
): Promise<void> {
  for (const device of world.devices) {
    const { token, account, isLoggedOut } = device;
    if (token === null) continue;
    const sent = messages.filter((message) => message.token === token);
    const isDue = (id: string) =>
      !isLoggedOut && due.get(account)?.has(id) && world.rules.isPushed(account.person, id);
    const expected = new Set([...waitingFor(world, token)].filter(isDue));
    await expectSame(world, device, expected, new Set(sent.map(({ data }) => data.notificationId)));
    // A worker drops a push that is not due, even if it crashes later.
    world.pushes.set(token, expected);
    for (const message of sent) checkPush(world, device, message);
  }
}

async function expectSame(
  { harness }: World,
  { name }: Device,
  expected: ReadonlySet<string>,
  sent: ReadonlySet<string>,
): Promise<void> {
  const differences = [...expected.symmetricDifference(sent)];
  if (differences.length === 0) return;
  const explanation = await harness.explainPushes(differences);
  throw new Error(
    `${name} was sent ${sent.size} of ${expected.size}: wrong are ${differences}; ${explanation}`,
  );
}

function checkPush(world: World, device: Device, { data, android, apns }: Json): void {
  const { notificationId: id } = data;
  const ids = [android.collapse_key, android.notification.tag, apns.headers['apns-collapse-id']];
  if (ids.some((one) => one !== id)) throw new Error(`${device.name} is sent ${id} as ${ids}`);
  checkPayload(world, device, data, world.rules.objectionTo(device.account.person, data));
  device.push(data);
}

function devicesOf({ devices }: World, account: Account): Device[] {
  return devices.filter((device) => device.account === account);
}

function waitingFor(world: World, token: string): Set<string> {
  return world.pushes.get(token) ?? new Set();
}
