import { timeDrains } from './notif-drain.ts';
import { postIntoHub } from './notif-hub.ts';
import { timeInboxes } from './notif-inbox.ts';
import { figuresTable } from './notif-report.ts';
import { timeSignals } from './notif-signals.ts';
import type { World } from './world.ts';

async function measure(world: World, print: (text: string) => void): Promise<void> {
  print(`\n${await timeInboxes(world, print)}\n`);
  print(`\n${await timeDrains(world, print)}\n`);
  const figures = [...(await postIntoHub(world, print)), ...(await timeSignals(world, print))];
  print(`\n${figuresTable(figures)}\n`);
}

/** Reading the inbox, draining the outbox, telling a large Hub, and signals on streams. */
export const notifications = { name: 'notifications', measure };
