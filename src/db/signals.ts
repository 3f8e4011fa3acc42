import { Buffer } from 'node:buffer';
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/** A notification that its recipient's streams are to hear of. */
export interface Signal {
  readonly recipientId: string;
  readonly notificationId: string;
}

const KEY_BYTES = 32;
const IV_BYTES = 16;
const MAC_BYTES = 32;
const ID_BYTES = 16;
const TIME_BYTES = 6;

/** A payload that was sealed so long before the newest one is a repetition: Postgres delivers each when its statement commits. */
const MAX_AGE_MS = 120_000;

/**
 * Returns a function that opens payloads of `app.seal_signals` (docs/product.md N31). It returns no signal for any other payload,
 * nor for one that it has opened before, because every login of the database may notify.
 * @param key of `gateway.signal_key`
 */
export function createSignalOpener(key: Buffer): (payload: string) => readonly Signal[] {
  const [cipherKey, macKey] = [key.subarray(0, KEY_BYTES), key.subarray(KEY_BYTES)];
  // When payloads were sealed, by their ids, oldest first.
  const opened = new Map<string, number>();
  let newest = 0;

  function unseal(sealed: Buffer): Buffer | null {
    const [authenticated, mac] = [sealed.subarray(0, -MAC_BYTES), sealed.subarray(-MAC_BYTES)];
    const expected = createHmac('sha256', macKey).update(authenticated).digest();
    if (mac.length !== MAC_BYTES || !timingSafeEqual(mac, expected)) return null;
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, authenticated.subarray(0, IV_BYTES));
    return Buffer.concat([decipher.update(authenticated.subarray(IV_BYTES)), decipher.final()]);
  }

  /** Returns whether a payload is neither old nor a repetition. @param sealedAt by the clock of Postgres */
  function isNew(id: string, sealedAt: number): boolean {
    newest = Math.max(newest, sealedAt);
    for (const [old, at] of opened) {
      if (at > newest - MAX_AGE_MS) break;
      opened.delete(old);
    }
    if (sealedAt <= newest - MAX_AGE_MS || opened.has(id)) return false;
    opened.set(id, sealedAt);
    return true;
  }

  return (payload) => {
    const plain = unseal(Buffer.from(payload, 'base64'));
    // The first bytes of an id of version 7 are its time.
    if (plain === null || !isNew(uuidAt(plain, 0), plain.readUIntBE(0, TIME_BYTES))) return [];
    const signals: Signal[] = [];
    for (let at = ID_BYTES; at < plain.length; at += 2 * ID_BYTES) {
      signals.push({ recipientId: uuidAt(plain, at), notificationId: uuidAt(plain, at + ID_BYTES) });
    }
    return signals;
  };
}

function uuidAt(bytes: Buffer, from: number): string {
  return bytes.toString('hex', from, from + ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
