import { expectOk } from '../../support/client.ts';
import { wholeInbox } from '../../support/inbox.ts';
import { logOut } from '../../support/sign-in.ts';
import { pick } from '../random.ts';
import { converge, goOnline } from './convergence.ts';
import { publish, republishAll, sendPushes } from './deliveries.ts';
import type { Device } from './devices.ts';
import type { World } from './world.ts';

/** A device and two random values: an index and a switch. */
interface EventScene {
  readonly world: World;
  readonly device: Device;
  readonly index: number;
  readonly isOn: boolean;
}

/** The weight of an event, whether a calm schedule may have it, and its effect, which returns a description. */
export type SystemEvent = readonly [
  weight: number,
  mayBeCalm: boolean,
  run: (scene: EventScene) => Promise<string | undefined>,
];

const done = async (task: Promise<void>) => {
  await task;
  return undefined;
};

/** The events of the worker, the network and the devices. */
export const SYSTEM_EVENTS: Readonly<Record<string, SystemEvent>> = {
  'the worker publishes': [16, true, ({ world }) => done(publish(world))],
  'the worker sends pushes': [
    10,
    true,
    ({ world, isOn, index }) => done(sendPushes(world, isOn && index % 2 === 0)),
  ],
  'the worker fans out': [6, true, ({ world }) => done(world.harness.fanOut())],
  'the worker folds inbox counts': [3, true, ({ world }) => done(world.harness.foldInboxCounts())],
  'old signals are published again to': [
    4,
    true,
    async ({ world, device: { account }, index }) => {
      const ids = [...account.stored].slice(0, 1 + (index % 5));
      if (ids.length > 0) await republishAll(world, account, ids);
      return undefined;
    },
  ],
  'an item arrives at': [40, true, ({ device, index }) => device.arrive(index, false)],
  'an item arrives for the first of two times at': [
    12,
    true,
    ({ device, index }) => device.arrive(index, true),
  ],
  'an item is lost for': [10, false, async ({ device, index }) => device.lose(index)],
  'the list is refreshed on': [3, false, ({ device }) => done(device.request(device.phone.onRefresh()))],
  'a notification is marked on': [
    8,
    true,
    async ({ world, device, index, isOn }) => {
      const id = pick(device.phone.shown.items, index)?.id;
      if (id === undefined) return undefined;
      await device.mark(id, isOn);
      return recordRead(world, device);
    },
  ],
  'all are marked on': [
    4,
    true,
    async ({ world, device, isOn }) => {
      await device.mark(null, isOn);
      return recordRead(world, device);
    },
  ],
  'a mark is never sent by': [
    2,
    false,
    async ({ device, index, isOn }) => {
      device.phone.onMark(isOn ? null : (pick(device.phone.shown.items, index)?.id ?? null), true);
      return undefined;
    },
  ],
  'the stream is closed at': [8, true, async ({ device, isOn }) => goOffline(device, isOn)],
  'a stream is opened at': [10, true, ({ world, device, isOn }) => done(goOnline(world, device, isOn))],
  'every item arrives at': [
    8,
    false,
    ({ world, device, index, isOn }) => done(converge(world, device, [index, 0, 3 * index, 1], isOn)),
  ],
  'the tablet is logged out instead of': [
    1,
    false,
    async ({ world: { opine, devices } }) => {
      const [, , , tablet] = devices;
      if (tablet === undefined || tablet.isLoggedOut) return 'no tablet';
      tablet.isLoggedOut = true;
      await expectOk(logOut(opine, tablet.person.session));
      return undefined;
    },
  ],
};

function goOffline(device: Device, isKilled: boolean): undefined {
  device.disconnect(isKilled);
}

/** Records the read notifications in the model. */
async function recordRead({ rules }: World, { person }: Device): Promise<undefined> {
  const read = (await wholeInbox(person)).filter((item) => item.read);
  rules.hasRead(
    person,
    read.map(({ id }) => id),
  );
}
