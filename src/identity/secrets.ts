import { Buffer } from 'node:buffer';
import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto';

/** Everything secret that the service draws, derives or hides. */
export interface Secrets {
  /** Stands for a phone number where the number itself must not be kept. */
  hashPhone(phone: string): string;
  /** Stands for a one-time code; the same code of another phone has another hash. */
  hashCode(phone: string, code: string): string;
  /** Stands for the device id of an anonymous install. */
  hashDevice(deviceId: string): string;
  /** Draws the refresh token of a new session: 32 random bytes, base64url. */
  newRefreshToken(): string;
  /** The one token that `refreshToken` is ever exchanged for. */
  successorOf(refreshToken: string): string;
  /** SHA-256 of a refresh token: what is stored of it. */
  fingerprint(refreshToken: string): string;
  /** Draws a one-time code of four digits, each as likely as any other. */
  newCode(): string;
}

const REFRESH_TOKEN_BYTES = 32;

/**
 * Makes the service's secrets of one configured secret of at least 32 random bytes. Each purpose has a key of its
 * own, so that no hash of one says anything about another; all hashes are lower-case hex.
 */
export function createSecrets(hashSecret: string): Secrets {
  const phone = keyed(hashSecret, 'phone');
  const code = keyed(hashSecret, 'one-time code');
  const device = keyed(hashSecret, 'device');
  const refresh = keyed(hashSecret, 'refresh token');

  return {
    hashPhone: (number) => phone(number).toString('hex'),
    hashCode: (number, digits) => code(`${number}:${digits}`).toString('hex'),
    hashDevice: (deviceId) => device(deviceId).toString('hex'),
    newRefreshToken: () => randomBytes(REFRESH_TOKEN_BYTES).toString('base64url'),
    // Derived, not drawn: a client that lost the answer, or asks twice at once, gets the same successor again
    // although only fingerprints are stored.
    successorOf: (refreshToken) => refresh(refreshToken).toString('base64url'),
    // No key: nobody can guess 256 random bits.
    fingerprint: (refreshToken) => createHash('sha256').update(refreshToken).digest('hex'),
    newCode: () => randomInt(10_000).toString().padStart(4, '0'),
  };
}

/** HMAC-SHA-256 under a key that HKDF derives for `purpose` alone. */
function keyed(secret: string, purpose: string): (text: string) => Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `opine ${purpose}`, 32));
  return (text) => createHmac('sha256', key).update(text).digest();
}
