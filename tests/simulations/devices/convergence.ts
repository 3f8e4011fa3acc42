import { expect } from 'vitest';
import { inboxPage, wholeInbox } from '../../support/inbox.ts';
import type { Device } from './devices.ts';
import type { World } from './world.ts';

/** Opens a new stream, and optionally reads the inbox at once. */
export async function goOnline({ opine }: World, device: Device, readsAtOnce: boolean): Promise<void> {
  device.disconnect(false);
  await device.connect(opine);
  if (readsAtOnce) await device.request(device.phone.onRefresh());
}

/** Brings a device to the foreground, lets everything arrive and checks what it shows. */
export async function converge(
  world: World,
  device: Device,
  order: readonly number[],
  readsAtOnce: boolean,
): Promise<void> {
  await goOnline(world, device, readsAtOnce);
  await arriveAll(device, order);
  await expectInboxShown(device);
}

/** Lets everything on its way arrive in the given order, later answers included. */
export async function arriveAll(device: Device, order: readonly number[]): Promise<void> {
  for (let step = 0; device.waiting > 0; step += 1) {
    if (step > 1_000) throw new Error(`${device.name} never converges`);
    await device.arrive(order[step % order.length] ?? 0, false);
  }
}

/** Checks that a device shows the inbox of its owner. */
export async function expectInboxShown({ name, person, phone }: Device): Promise<void> {
  const items = await wholeInbox(person, { limit: 6 });
  const { unreadCount, inboxVersion } = await inboxPage(person, { limit: 1 });
  expect(unreadCount, name).toBe(items.filter(({ read }) => !read).length);
  expect(phone.shown, name).toEqual({ items, unreadCount, inboxVersion });
}
