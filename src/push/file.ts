import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, open, rename, rmdir, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type MessageTexts, messageTo } from './message.ts';
import type { Push, PushSender } from './push.ts';

/** How much of a file stays. */
const KEEP_BYTES = 10_000_000;
/** How much more goes, so that a full file is not rewritten for every message. */
const SPARE_BYTES = 100_000;
/** A killed process leaves its lock: others take it after this time. */
const STALE_LOCK_MS = 5_000;
const RETRY_MS = 5;

/**
 * Creates a sender that appends messages to a file, as JSON lines, for development (docs/product.md R7). The file keeps its newest lines.
 * Several processes may share it.
 */
export function createPushFile(file: string, texts?: MessageTexts): PushSender {
  return {
    send: async (pushes) => {
      try {
        await locked(file, async () => {
          await appendFile(file, pushes.map((push) => formatLine(push, texts)).join(''));
          await trim(file);
        });
        return pushes.map(() => ({ outcome: 'sent' }));
      } catch {
        return pushes.map(() => ({ outcome: 'failed', failure: 'file' }));
      }
    },
    close: async () => {},
  };
}

function formatLine({ device, payload, badge }: Push, texts: MessageTexts | undefined): string {
  const { token, ...message } = messageTo(device, payload, badge, texts);
  return `${JSON.stringify({
    at: new Date().toISOString(),
    platform: device.platform,
    token_sha256: createHash('sha256').update(token).digest('hex'),
    message,
  })}\n`;
}

/** Runs `write` while no other sender of the file does: a line that one appends while another trims would be lost. */
async function locked(file: string, write: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`;
  while (!(await take(lock))) await pause(RETRY_MS);
  try {
    await write();
  } finally {
    await rmdir(lock);
  }
}

/** Creates the directory that is the lock. @returns false if another sender has it */
async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = await stat(lock).catch(() => null);
    if (since !== null && Date.now() - since.mtimeMs > STALE_LOCK_MS) await rmdir(lock).catch(() => {});
    return false;
  }
}

/** Replaces a file that is too large by its newest whole lines, at once, so that readers see one file or the other. */
async function trim(file: string): Promise<void> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  if (size <= KEEP_BYTES) return;
  const { buffer } = await handle.read({
    buffer: Buffer.alloc(KEEP_BYTES - SPARE_BYTES),
    position: size - KEEP_BYTES + SPARE_BYTES,
  });
  await writeFile(`${file}.new`, buffer.subarray(buffer.indexOf('\n') + 1));
  await rename(`${file}.new`, file);
}
