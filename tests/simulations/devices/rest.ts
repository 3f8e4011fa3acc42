import { expect } from 'vitest';
import { inboxPage, wholeInbox } from '../../support/inbox-pagination.ts';
import type { Device } from './devices.ts';
import type { PhoneWorld } from './world.ts';

/** A device opens another stream, whether the last one was closed or not, and may read the inbox at once. */
export async function comesOnline({ opine }: PhoneWorld, device: Device, asksAtOnce: boolean): Promise<void> {
  device.disconnect(false);
  await device.connect(opine);
  if (asksAtOnce) await device.ask(device.phone.refreshes());
}

/** A device comes to the foreground; when all that was on its way is there it shows what the inbox is. */
export async function comesToRest(
  world: PhoneWorld,
  device: Device,
  order: readonly number[],
  asksAtOnce: boolean,
): Promise<void> {
  await comesOnline(world, device, asksAtOnce);
  await everythingArrives(device, order);
  await expectTruth(device);
}

/** In any order, what is answered meanwhile included. */
export async function everythingArrives(device: Device, order: readonly number[]): Promise<void> {
  for (let step = 0; device.waiting > 0; step += 1) {
    if (step > 1_000) throw new Error(`${device.name} never comes to rest`);
    await device.arrives(order[step % order.length] ?? 0, false);
  }
}

/** A device shows what its owner's inbox is. */
export async function expectTruth({ name, person, phone }: Device): Promise<void> {
  const items = await wholeInbox(person, { limit: 6 });
  const { unreadCount, inboxVersion } = await inboxPage(person, { limit: 1 });
  expect(unreadCount, name).toBe(items.filter(({ read }) => !read).length);
  expect(phone.shown, name).toEqual({ items, unreadCount, inboxVersion });
}
