import { ascii, type Bytes, bytes } from './pictures.ts';

const s15 = (value: number) => Math.round(value * 65_536);

function u32(...values: number[]): Bytes {
  const data = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) data.writeUInt32BE(value, 4 * index);
  return new Uint8Array(data);
}

/** Returns the data of a tag with a colour. */
export function xyz(x: number, y: number, z: number): Bytes {
  return bytes(ascii('XYZ \0\0\0\0'), u32(s15(x), s15(y), s15(z)));
}

/** The white of every profile. */
export const D50 = xyz(0.9642, 1, 0.8249);

/** Returns the data of a tag with a curve. */
export function gamma(exponent: number): Bytes {
  return bytes(
    ascii('curv\0\0\0\0'),
    u32(1),
    Uint8Array.of(Math.floor(exponent), (exponent % 1) * 256, 0, 0),
  );
}

/** Creates a display profile of these tags. */
export function anIccProfile(space: 'RGB ' | 'GRAY', tags: Record<string, Bytes>): Bytes {
  const entries = Object.entries(tags);
  let offset = 128 + 4 + 12 * entries.length;
  const table = entries.map(([name, { length }]) => {
    const entry = bytes(ascii(name), u32(offset, length));
    offset += length;
    return entry;
  });
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset, 0);
  header.write('\x02\x10\0\0mntr', 8, 'latin1');
  header.write(`${space}XYZ `, 16, 'latin1');
  header.write('acsp', 36, 'latin1');
  header.set(D50.subarray(8), 68);
  return bytes(header, u32(entries.length), ...table, ...entries.map(([, data]) => data));
}
