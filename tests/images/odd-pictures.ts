import { crc32, deflateSync } from 'node:zlib';
import { ascii, bytes, pngChunk, u24le } from '../support/pictures.ts';

/** Returns a copy of `file` whose header declares other dimensions. */
export function declared(file: Uint8Array, type: string, width: number, height: number): Uint8Array {
  const copy = new Uint8Array(file);
  const view = new DataView(copy.buffer);
  if (type === 'image/png') {
    view.setUint32(16, width);
    view.setUint32(20, height);
    view.setUint32(29, crc32(copy.subarray(12, 29)));
  } else if (type === 'image/jpeg') {
    const frame = Math.max(...[0xc0, 0xc2].map((code) => Buffer.from(copy).indexOf(Buffer.of(0xff, code))));
    view.setUint16(frame + 5, height);
    view.setUint16(frame + 7, width);
  } else {
    if (Buffer.from(file).includes('VP8X')) copy.set(u24le(width - 1, height - 1), 24);
    const start = Buffer.from(copy).indexOf(Buffer.of(0x9d, 0x01, 0x2a));
    if (start < 0) view.setUint32(21, (width - 1) | ((height - 1) << 14), true);
    else {
      view.setUint16(start + 3, width, true);
      view.setUint16(start + 5, height, true);
    }
  }
  return copy;
}

/** Creates a grey PNG with this value in each byte of its pixels. */
export function aGreyPng({ value, ...of }: PngSize & { depth: number; value: number }): Uint8Array {
  return aPlainPng({ ...of, colourType: 0, bitsPerPixel: of.depth, value });
}

/** Creates a PNG of transparent pixels. */
export function aClearPng(): Uint8Array {
  return aPlainPng({ width: 8, height: 8, depth: 8, colourType: 6, bitsPerPixel: 32, value: 0 });
}

interface PngSize {
  readonly width: number;
  readonly height: number;
}

function aPlainPng(
  of: PngSize & { depth: number; colourType: number; bitsPerPixel: number; value: number },
): Uint8Array {
  const { depth, width, height, colourType, bitsPerPixel, value } = of;
  const row = bytes(Uint8Array.of(0), new Uint8Array(Math.ceil((width * bitsPerPixel) / 8)).fill(value));
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header[8] = depth;
  header[9] = colourType;
  return bytes(
    ascii('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(bytes(...Array.from({ length: height }, () => row)))),
    pngChunk('IEND'),
  );
}
