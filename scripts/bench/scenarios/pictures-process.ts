import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { createImages } from '../../../src/images/images.ts';
import { createNodePreviews } from '../../../src/images/node-previews.ts';

/** Prepares a picture, several times at once, and prints what one took and what memory all took at most. */
async function main([file = '', count = '1']: readonly string[]): Promise<void> {
  const bytes = new Uint8Array(readFileSync(file));
  const images = createImages(createNodePreviews());
  // Loads the library.
  await images.prepare(new Uint8Array(await sharp({ create: SMALL }).jpeg().toBuffer()), 'image/jpeg');
  const before = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: Number(count) }, () => images.prepare(bytes, 'image/jpeg')),
  );
  const each = (total: number) => total / answers.length;
  const ms = each(performance.now() - startedAt);
  const { user, system } = process.cpuUsage(cpu);
  if (answers.some((answer) => typeof answer === 'string')) throw new Error(`refused: ${answers}`);
  const peakMb = (peakRss() - before) / 1e6;
  process.stdout.write(JSON.stringify({ ms, cpuMs: each((user + system) / 1000), peakMb }));
}

const SMALL = { width: 64, height: 48, channels: 3, background: '#3080c0' } as const;

/** Returns the most resident memory so far. Linux counts that of the parent to `maxRSS`. */
function peakRss(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

await main(process.argv.slice(2));
