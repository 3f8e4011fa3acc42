import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sharp } from 'sharp';
import { z } from 'zod';
import { detailsOf } from '../photos.ts';
import { median, printTable } from '../rounds.ts';
import type { World } from '../world.ts';

const ROUNDS = 5;

/** How many pictures a process prepares at once. */
const AT_ONCE = 4;

const SIZES = [
  { width: 5712, height: 4284 },
  { width: 8160, height: 6120 },
  { width: 12_000, height: 9_000 },
];

const FORMATS: readonly (readonly [name: string, encode: (photo: Sharp) => Sharp])[] = [
  ['JPEG', (photo) => photo.jpeg({ quality: 30 })],
  ['progressive JPEG', (photo) => photo.jpeg({ quality: 30, progressive: true })],
];

const Figures = z.object({ ms: z.number(), cpuMs: z.number(), peakMb: z.number() });

/** Measures the preparation of photos of phones, each in a process of its own: alone, and four at once. */
export async function pictures({ directory }: World): Promise<void> {
  const rows: string[][] = [];
  for (const size of SIZES) {
    for (const [format, encode] of FORMATS) {
      const file = path.join(directory, 'photo.jpg');
      const photo = await encode(detailsOf(size)).toBuffer();
      writeFileSync(file, photo);
      for (const count of [1, AT_ONCE]) {
        const runs: z.infer<typeof Figures>[] = [];
        while (runs.length < ROUNDS) runs.push(await measure(file, count));
        const cells = (['ms', 'cpuMs', 'peakMb'] as const).map((name) =>
          median(runs.map((run) => run[name])).toFixed(0),
        );
        const megapixels = (size.width * size.height) / 1e6;
        rows.push([
          `${format}, ${megapixels.toFixed(1)} MP`,
          (photo.length / 1e6).toFixed(1),
          String(count),
          ...cells,
        ]);
      }
    }
  }
  printTable(
    ['picture', 'file, MB', 'at once', 'ms each', 'CPU each, ms', 'memory of the process, MB more'],
    rows,
  );
}

async function measure(file: string, count: number): Promise<z.infer<typeof Figures>> {
  const script = path.join(import.meta.dirname, 'pictures-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, String(count)]);
  return Figures.parse(JSON.parse(stdout));
}
