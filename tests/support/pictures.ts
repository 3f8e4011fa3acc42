import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Size and metadata of a picture; no metadata by default. */
export interface PictureOptions {
  readonly width?: number;
  readonly height?: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation?: number;
  /** EXIF with location, camera and owner. */
  readonly gps?: boolean;
  readonly xmp?: boolean;
  readonly comment?: boolean;
  /** A colour profile, which uploads keep. */
  readonly icc?: boolean;
  /** Bytes after the end, as in a motion photo. */
  readonly trailing?: boolean;
  /** Subtracted from the green channel, so that pictures differ. */
  readonly green?: number;
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** EXIF location 52° 31' 12.3456" as three fractions. */
const GPS_BYTES: Bytes = u32be(52, 1, 31, 1, 123456, 10000);

/** Metadata that no stored file may contain. */
export const METADATA_TRACES: Readonly<Record<'gps' | 'camera' | 'xmp' | 'comment' | 'trailing', Bytes>> = {
  gps: GPS_BYTES,
  camera: ascii('Camera of Maya'),
  xmp: ascii('<x:xmpmeta>photoshop:City Berlin</x:xmpmeta>'),
  comment: ascii('what Maya wrote for herself'),
  trailing: ascii('the film of the moment before'),
};

/** A stand-in for a colour profile. */
export const ICC_PROFILE: Bytes = ascii('a colour profile that is kept'.padEnd(128, '.'));

/** Returns the names of the traces in a file. */
export function tracesIn(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  return Object.entries(METADATA_TRACES).flatMap(([name, trace]) =>
    file.includes(Buffer.from(trace)) ? [name] : [],
  );
}

export const ALL_METADATA: PictureOptions = {
  gps: true,
  xmp: true,
  comment: true,
  icc: true,
  trailing: true,
};

/** Returns a gradient with distinct corners: red to the right, blue to the bottom, green where both are low. */
export function pixelsOf({ width = 48, height = 32, green = 0 }: PictureOptions = {}) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < data.length; at += 4) {
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    const [red, blue] = [(255 * x) / width, (255 * y) / height];
    data.set([red, 255 - (red + blue) / 2 - green, blue, 255], at);
  }
  return { data, width, height };
}

/** Creates a JPEG, baseline unless `progressive`. */
export async function aJpeg(options: PictureOptions & { progressive?: boolean } = {}): Promise<Bytes> {
  const { progressive = false } = options;
  const coded = await sharpOf(options).jpeg({ progressive, quality: 90 }).toBuffer();
  const exif = exifOf(options);
  return bytes(
    coded.subarray(0, 2),
    jpegSegment(0xe0, ascii('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    exif && jpegSegment(0xe1, ascii('Exif\0\0'), exif),
    options.xmp && jpegSegment(0xe1, ascii('http://ns.adobe.com/xap/1.0/\0'), METADATA_TRACES.xmp),
    options.icc && jpegSegment(0xe2, ascii('ICC_PROFILE\0\x01\x01'), ICC_PROFILE),
    options.comment && jpegSegment(0xfe, METADATA_TRACES.comment),
    coded.subarray(2),
    options.trailing && METADATA_TRACES.trailing,
  );
}

/** Creates an 8-bit PNG with alpha. */
export async function aPng(options: PictureOptions = {}): Promise<Bytes> {
  const { data, width, height } = pixelsOf(options);
  const rows = Array.from({ length: height }, (_, y) =>
    bytes(Uint8Array.of(0), new Uint8Array(data.buffer, y * width * 4, width * 4)),
  );
  const exif = exifOf(options);
  return bytes(
    ascii('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', u32be(width, height), Uint8Array.of(8, 6, 0, 0, 0)),
    options.icc && pngChunk('iCCP', ascii('profile\0\0'), deflateSync(ICC_PROFILE)),
    exif && pngChunk('eXIf', exif),
    options.xmp && pngChunk('iTXt', ascii('XML:com.adobe.xmp\0\0\0\0\0'), METADATA_TRACES.xmp),
    options.comment && pngChunk('tEXt', ascii('Comment\0'), METADATA_TRACES.comment),
    pngChunk('IDAT', deflateSync(bytes(...rows))),
    pngChunk('IEND'),
    options.trailing && METADATA_TRACES.trailing,
  );
}

/** Creates a WebP, lossy unless `lossless`; metadata needs a VP8X chunk. */
export async function aWebp(options: PictureOptions & { lossless?: boolean } = {}): Promise<Bytes> {
  const { width, height } = pixelsOf(options);
  const { lossless = false } = options;
  const coded = await sharpOf(options).webp({ quality: 90, lossless }).toBuffer();
  const exif = exifOf(options);
  const { icc, xmp, comment, trailing } = options;
  if (!exif && !icc && !xmp && !comment) return bytes(coded, trailing && METADATA_TRACES.trailing);
  const flags = (icc ? 0x20 : 0) | (exif ? 0x08 : 0) | (xmp ? 0x04 : 0);
  const file = aRiff(
    riffChunk('VP8X', Uint8Array.of(flags, 0, 0, 0), u24le(width - 1, height - 1)),
    icc && riffChunk('ICCP', ICC_PROFILE),
    coded.subarray(12),
    exif && riffChunk('EXIF', exif),
    xmp && riffChunk('XMP ', METADATA_TRACES.xmp),
    comment && riffChunk('NOTE', METADATA_TRACES.comment),
  );
  return bytes(file, trailing && METADATA_TRACES.trailing);
}

/** Creates a PDF with one empty page. */
export function aPdf(text = 'a document of Maya'): Bytes {
  return ascii(
    `%PDF-1.4\n% ${text}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n` +
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R>>endobj\n' +
      'trailer<</Root 1 0 R>>\n%%EOF\n',
  );
}

export function jpegSegment(code: number, ...parts: Uint8Array[]): Bytes {
  const body = bytes(...parts);
  const length = body.length + 2;
  return bytes(Uint8Array.of(0xff, code, length >> 8, length & 0xff), body);
}

export function pngChunk(type: string, ...parts: Uint8Array[]): Bytes {
  const body = bytes(ascii(type), ...parts);
  return bytes(u32be(body.length - 4), body, u32be(crc32(body)));
}

/** Creates a WebP chunk, padded to even length. */
export function riffChunk(type: string, ...parts: Uint8Array[]): Bytes {
  const body = bytes(...parts);
  return bytes(ascii(type), u32be(body.length).reverse(), body, body.length % 2 === 1 && Uint8Array.of(0));
}

export function aRiff(...chunks: Part[]): Bytes {
  const body = bytes(ascii('WEBP'), ...chunks);
  return bytes(ascii('RIFF'), u32be(body.length).reverse(), body);
}

export type Part = Uint8Array | false | null | undefined;

/** Concatenates parts. */
export function bytes(...parts: Part[]): Bytes {
  return new Uint8Array(Buffer.concat(parts.filter((part) => part instanceof Uint8Array)));
}

export function ascii(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** Creates big-endian EXIF: orientation, camera and GPS directory. */
export function exifOf({ orientation, gps }: PictureOptions): Bytes | null {
  if (orientation === undefined && !gps) return null;
  const camera = bytes(METADATA_TRACES.camera, Uint8Array.of(0));
  const count = (orientation === undefined ? 0 : 1) + (gps ? 2 : 0);
  const after = 8 + 2 + count * 12 + 4;
  const place = after + camera.length;
  return bytes(
    ascii('MM\0*'),
    u32be(8),
    u16be(count),
    gps && entry(0x0110, 2, camera.length, after),
    orientation !== undefined && entry(0x0112, 3, 1, orientation << 16),
    gps && entry(0x8825, 4, 1, place),
    u32be(0),
    ...(gps ? [camera, u16be(1), entry(0x0002, 5, 3, place + 18), u32be(0), GPS_BYTES] : []),
  );
}

function entry(tag: number, type: number, count: number, value: number): Bytes {
  return bytes(u16be(tag, type), u32be(count, value));
}

function u16be(...values: number[]): Bytes {
  return Uint8Array.from(values.flatMap((value) => [value >>> 8, value]));
}

function u32be(...values: number[]): Bytes {
  return Uint8Array.from(values.flatMap((value) => [value >>> 24, value >>> 16, value >>> 8, value]));
}

/** Encodes 24-bit little-endian numbers. */
export function u24le(...values: number[]): Bytes {
  return Uint8Array.from(values.flatMap((value) => [value, value >>> 8, value >>> 16]));
}

/** Returns the opaque pixels of a picture, to be encoded. */
export function sharpOf(options: PictureOptions = {}): Sharp {
  const { data, width, height } = pixelsOf(options);
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }).removeAlpha();
}
