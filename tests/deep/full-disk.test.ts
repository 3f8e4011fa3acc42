import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { startServer } from '../../src/server.ts';
import { type CrashingDatabase, createCrashingDatabase } from '../simulations/votes/crashing-database.ts';
import { type Reply, refusal } from '../support/client.ts';
import { testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { statusOf } from '../support/outages.ts';
import { confirmedPerson } from '../support/people.ts';

const IS_ROOT = process.getuid?.() === 0;

/** Creates a database on a disk of its own. Returns the disk too. */
async function aDatabaseOnSmallDisk(): Promise<{ database: CrashingDatabase; disk: string }> {
  const database = await createCrashingDatabase();
  const disk = mkdtempSync(path.join(os.tmpdir(), 'opine-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'tmpfs', disk]);
  onTestFinished(async () => {
    await database.drop();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });
  const { uid, gid } = statSync(database.directory);
  chownSync(disk, uid, gid);
  const elsewhere = new URL(database.superuserUrl);
  elsewhere.pathname = '/postgres';
  await withClient(elsewhere.href, async (client) => {
    await client.query(`create tablespace small location '${disk}'`);
    await client.query(`alter database ${database.name} set tablespace small`);
  });
  return { database, disk };
}

/** Writes a file that leaves no room on a disk. The service may take some of the room meanwhile. */
function fill(disk: string, filler: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

test.runIf(IS_ROOT)(
  'a write without room is 503, reads go on, and writes succeed once there is room',
  async () => {
    const { database, disk } = await aDatabaseOnSmallDisk();
    const server = await startServer({ ...testEnvironment(database), ...WITH_WORKER });
    onTestFinished(server.stop);
    const opine = { url: server.url, database, stop: server.stop };
    const person = await confirmedPerson(opine);
    const publish = (thoughtText: string) => person.post('/posts', { thoughtText, visibility: 'public' });
    const { data: first } = await publish('Before.');

    const filler = path.join(disk, 'filler');
    fill(disk, filler);
    const replies: Reply[] = [];
    while (replies.length < 500 && replies.at(-1)?.status !== 503) replies.push(await publish('Room?'));
    expect(replies.at(-1)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    expect(new Set(replies.map(({ status }) => status)).isSubsetOf(new Set([201, 503]))).toBe(true);
    expect((await person.get(`/posts/${first.id}`)).status).toBe(200);
    expect(await statusOf(opine, '/readyz')).toBe(200);

    rmSync(filler);
    expect((await publish('After.')).status).toBe(201);
  },
);
