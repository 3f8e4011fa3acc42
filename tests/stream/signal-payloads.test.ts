import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSignalOpener } from '../../src/db/signals.ts';

const KEY = randomBytes(64);
const NOON = Date.parse('2026-01-01T12:00:00Z');
const TWO_MINUTES = 120_000;

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Returns an id of version 7 of this time. */
function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** Seals signals as Postgres does (app.seal_signals). */
function sealed(id: string, ...signals: { recipientId: string; notificationId: string }[]): string {
  const plain = Buffer.concat([
    bytesOf(id),
    ...signals.flatMap(({ recipientId, notificationId }) => [bytesOf(recipientId), bytesOf(notificationId)]),
  ]);
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', KEY.subarray(0, 32), iv);
  const bytes = Buffer.concat([iv, cipher.update(plain), cipher.final()]);
  const mac = createHmac('sha256', KEY.subarray(32)).update(bytes).digest();
  return Buffer.concat([bytes, mac]).toString('base64');
}

const aSignal = () => ({ recipientId: crypto.randomUUID(), notificationId: crypto.randomUUID() });

describe('a payload of signals', () => {
  let open: ReturnType<typeof createSignalOpener>;

  beforeEach(() => {
    open = createSignalOpener(KEY);
  });

  /** Whether a payload of this time, or of this id, is taken. */
  const isTaken = (at: number | string) =>
    open(sealed(typeof at === 'string' ? at : idAt(at), aSignal())).length === 1;

  test('a payload opens to its signals, in their order', () => {
    const signals = [aSignal(), aSignal(), aSignal()];
    expect(open(sealed(idAt(NOON), ...signals))).toEqual(signals);
    expect(open(sealed(idAt(NOON)))).toEqual([]);
  });

  test('a payload is taken once, whatever seals it again', () => {
    const id = idAt(NOON);
    expect([isTaken(id), isTaken(id), isTaken(NOON)]).toEqual([true, false, true]);
    // Still known two minutes after it was sealed.
    expect(isTaken(NOON + TWO_MINUTES - 1)).toBe(true);
    expect(isTaken(id)).toBe(false);
  });

  test('a payload is too old when another was sealed two minutes after it', () => {
    const id = idAt(NOON);
    expect(isTaken(NOON + TWO_MINUTES)).toBe(true);
    expect([isTaken(id), isTaken(NOON - 1), isTaken(NOON + 1)]).toEqual([false, false, true]);
    // An old payload does not turn the time back.
    expect(isTaken(NOON)).toBe(false);
  });

  test('payloads that arrive out of order are each known until they are too old', () => {
    const [early, late] = [idAt(NOON), idAt(NOON + 60_000)];
    expect([isTaken(late), isTaken(early), isTaken(late), isTaken(early)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isTaken(NOON + TWO_MINUTES)).toBe(true);
    expect([isTaken(late), isTaken(early)]).toEqual([false, false]);
  });
});
