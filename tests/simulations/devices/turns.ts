import { granted } from '../../support/graph.ts';
import { wholeInbox } from '../../support/inbox-pagination.ts';
import { logOut } from '../../support/sign-in.ts';
import { comesAgain, publishes, pushes } from './deliveries.ts';
import type { Device } from './devices.ts';
import { pick } from './moves.ts';
import { comesOnline, comesToRest } from './rest.ts';
import type { PhoneWorld } from './world.ts';

/** What a turn is about; `place` says which of many, and `isOn` in which of two ways. */
interface TurnScene {
  readonly world: PhoneWorld;
  readonly device: Device;
  readonly place: number;
  readonly isOn: boolean;
}

/** How often it happens, whether it may where nothing is to be lost, and what it does, in words. */
export type Turn = readonly [
  weight: number,
  isCalm: boolean,
  act: (scene: TurnScene) => Promise<string | undefined>,
];

const done = async (act: Promise<void>) => {
  await act;
  return undefined;
};

/** What devices, what lies between, and the worker do, by what it is called. */
export const TURNS: Readonly<Record<string, Turn>> = {
  'the worker publishes': [16, true, ({ world }) => done(publishes(world))],
  'the worker sends pushes': [
    10,
    true,
    ({ world, isOn, place }) => done(pushes(world, isOn && place % 2 === 0)),
  ],
  'the worker fans out': [6, true, ({ world }) => done(world.stage.fansOut())],
  'the worker sums up': [3, true, ({ world }) => done(world.stage.folds())],
  'word comes again to': [
    4,
    true,
    async ({ world, device: { account }, place }) => {
      const ids = [...account.stored].slice(0, 1 + (place % 5));
      if (ids.length > 0) await comesAgain(world, account, ids);
      return undefined;
    },
  ],
  'something arrives at': [40, true, ({ device, place }) => device.arrives(place, false)],
  'something arrives, and will again, at': [12, true, ({ device, place }) => device.arrives(place, true)],
  'something is lost for': [10, false, async ({ device, place }) => device.loses(place)],
  'somebody pulls down the list of': [3, false, ({ device }) => done(device.ask(device.phone.refreshes()))],
  'one is marked on': [
    8,
    true,
    async ({ world, device, place, isOn }) => {
      const id = pick(device.phone.shown.items, place)?.id;
      if (id === undefined) return undefined;
      await device.mark(id, isOn);
      return isRead(world, device);
    },
  ],
  'all are marked on': [
    4,
    true,
    async ({ world, device, isOn }) => {
      await device.mark(null, isOn);
      return isRead(world, device);
    },
  ],
  'a mark never leaves': [
    2,
    false,
    async ({ device, place, isOn }) => {
      device.phone.marks(isOn ? null : (pick(device.phone.shown.items, place)?.id ?? null), true);
      return undefined;
    },
  ],
  'no stream is open at': [8, true, async ({ device, isOn }) => goesOffline(device, isOn)],
  'a stream is opened at': [10, true, ({ world, device, isOn }) => done(comesOnline(world, device, isOn))],
  'all comes to rest at': [
    8,
    false,
    ({ world, device, place, isOn }) => done(comesToRest(world, device, [place, 0, 3 * place, 1], isOn)),
  ],
  'somebody logs out of the tablet, and not of': [
    1,
    false,
    async ({ world: { opine, devices } }) => {
      const [, , , tablet] = devices;
      if (tablet === undefined || tablet.isLoggedOut) return 'not';
      tablet.isLoggedOut = true;
      await granted(logOut(opine, tablet.person.session));
      return undefined;
    },
  ],
};

function goesOffline(device: Device, isKilled: boolean): undefined {
  device.disconnect(isKilled);
}

/** What was marked is known to be read from now on. */
async function isRead({ ledger }: PhoneWorld, { person }: Device): Promise<undefined> {
  const read = (await wholeInbox(person)).filter((item) => item.read);
  ledger.hasRead(
    person,
    read.map(({ id }) => id),
  );
}
