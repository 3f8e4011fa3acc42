import { createHash } from 'node:crypto';
import type { Json } from './client.ts';
import type { Mutation } from './mutations.ts';

/** Cursors that hold their place in plain text and are good everywhere. */
export const PLAIN_CURSORS: readonly Mutation[] = [
  [
    'app.seal_cursor',
    "app.base64url(v_iv || extensions.encrypt_iv(v_after, sha256(v_key), v_iv, 'aes'))",
    'app.base64url(v_after)',
  ],
  [
    'app.open_cursor',
    'v_after := extensions.decrypt_iv',
    "return convert_from(v_sealed, 'UTF8')::jsonb;\n  v_after := extensions.decrypt_iv",
  ],
];

/** Feeds that believe a cursor whose page one lies in the future. */
export const UNBOUND_CURSORS: readonly Mutation[] = [
  ['app.open_feed_cursor', 'least((v_after ->> 2)::timestamptz, app.now())', '(v_after ->> 2)::timestamptz'],
];

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns a cursor with the character at `index` replaced by the next one of its alphabet. */
export function changedAt(cursor: string, index: number): string {
  const next = (ALPHABET.indexOf(cursor.charAt(index)) + 1) % ALPHABET.length;
  return cursor.slice(0, index) + ALPHABET.charAt(next) + cursor.slice(index + 1);
}

/** Returns other spellings of a cursor: longer, shorter, and what decoders of Base64 may take for the same. */
export function respellingsOf(cursor: string): string[] {
  const spellings = [
    `${cursor}A`,
    cursor.slice(0, -1),
    `${cursor}=`,
    `${cursor}\n`,
    ` ${cursor}`,
    cursor.replaceAll('-', '+'),
    cursor.replaceAll('_', '/'),
  ];
  return [...new Set(spellings)].filter((text) => text !== cursor);
}

/** Returns the ids, names and times of `entry` that somebody can read in a cursor, and transactions. */
export function readableIn(cursor: string, entry: Json): string[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const hex = bytes.toString('hex');
  const decoded = `${bytes.toString('utf8')}\n${bytes.toString('latin1')}`.toLowerCase();
  const text = `${cursor}\n${hex}\n${decoded}`.toLowerCase();
  // The letters of ciphertext spell a short word by chance.
  const placeOf = (form: string) => (form.length < 8 ? decoded : text);
  const found = textsIn(entry).filter((value) => {
    const forms = formsOf(value);
    return (
      forms.texts.some((form) => placeOf(form).includes(form.toLowerCase())) ||
      forms.bytes.some((form) => bytes.includes(form))
    );
  });
  // A snapshot of transactions, as Postgres writes it and as former cursors did.
  return /\d{3,}[:.]\d{3,}[:.]/.test(text) ? [...found, 'a snapshot of transactions'] : found;
}

/** Returns every text of an entry that has four characters or more. */
function textsIn(value: Json): string[] {
  if (typeof value === 'string') return value.length < 4 ? [] : [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}

/** Returns how a text of an entry may stand in a cursor. */
function formsOf(value: string): { texts: string[]; bytes: Buffer[] } {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) {
    const hex = value.replaceAll('-', '');
    return { texts: [value, hex], bytes: [Buffer.from(hex, 'hex')] };
  }
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return formsOfTime(Date.parse(value));
  return { texts: [value], bytes: [] };
}

const POSTGRES_EPOCH = Date.UTC(2000, 0, 1);
/** Bytes of a number of microseconds that stay the same for 16 s. An answer has milliseconds, a cursor more. */
const STEADY_BYTES = 5;

function formsOfTime(time: number): { texts: string[]; bytes: Buffer[] } {
  const day = new Date(time).toISOString().slice(0, 10);
  const counts = [time * 1000, (time - POSTGRES_EPOCH) * 1000];
  const bytes = counts.flatMap((count) => {
    const whole = Buffer.alloc(8);
    whole.writeBigInt64BE(BigInt(count));
    const reversed = Buffer.from(whole).reverse();
    return [whole.subarray(0, STEADY_BYTES), reversed.subarray(8 - STEADY_BYTES)];
  });
  const decimals = counts.map((count) => String(count).slice(0, -6));
  return { texts: [day, ...decimals, ...counts.map((count) => count.toString(16).slice(0, -4))], bytes };
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A place in a feed, as cursors hold it. */
interface Place {
  readonly at: Date;
  readonly beganAt: Date;
  /** A snapshot of Postgres. */
  readonly seen: string;
  readonly part: string;
}

/** Encodes a place as cursors did before they were sealed. */
export function formerCursorOf({ at, beganAt, seen, part, feed }: Place & { readonly feed: string }): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(at.getTime()) * 1000n);
  const end = Buffer.concat([bytes, Buffer.from(LAST_ID.replaceAll('-', ''), 'hex')]).toString('base64url');
  const began = (beganAt.getTime() * 1000).toString(16).padStart(14, '0');
  const name = createHash('md5').update(feed).digest('hex').slice(0, 8);
  return end + began + part.charAt(0) + name + seen.replaceAll(':', '.').replaceAll(',', '_');
}

/** Encodes a place as a sealed cursor holds it, without the seal. */
export function plainCursorOf({ at, beganAt, seen, part }: Place): string {
  const isOwn = true;
  const place = [at.toISOString(), LAST_ID, beganAt.toISOString(), seen, part, isOwn];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}
