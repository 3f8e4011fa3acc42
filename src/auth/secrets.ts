import { Buffer } from 'node:buffer';
import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes, randomInt } from 'node:crypto';
import { createSeal } from './seal.ts';

/** Everything secret that the service draws, derives or hides. */
export interface Secrets {
  /** Stands for a phone number where the number itself must not be kept. */
  hashPhone(phone: string): string;
  /** Stands for a one-time code; the same code of another phone has another hash. */
  hashCode(phone: string, code: string): string;
  /** Stands for the device id of an anonymous install. */
  hashDevice(deviceId: string): string;
  /** Stands for the address of a client, which limits count by. */
  hashAddress(address: string): string;
  /** Stands for somebody whom an identity provider knows by `subject`. */
  hashSubject(issuer: string, subject: string): string;
  /** Draws a token that opens something to whoever has it: 32 random bytes, base64url. */
  newToken(): string;
  /** The one token that `refreshToken` is ever exchanged for. */
  successorOf(refreshToken: string): string;
  /** SHA-256 of a token: what it is known by where it is stored. */
  fingerprint(token: string): string;
  /** Encrypts a device's push token, which its SHA-256 cannot stand for: AES-256-GCM, base64. */
  sealDeviceToken(token: string): string;
  /** What `sealDeviceToken` sealed. Throws where another key did, or the text was changed. */
  openDeviceToken(sealed: string): string;
  /** Encrypts a token that is handed out once more where a request is replayed: AES-256-GCM, base64. */
  sealInviteToken(token: string): string;
  /** What `sealInviteToken` sealed. Throws where another key did, or the text was changed. */
  openInviteToken(sealed: string): string;
  /** Draws a one-time code of four digits, each as likely as any other. */
  newCode(): string;
}

const TOKEN_BYTES = 32;

/**
 * Makes the service's secrets of one configured secret of at least 32 random bytes. Each purpose has a key of its
 * own, so that no hash of one says anything about another; all hashes are lower-case hex.
 */
export function createSecrets(hashSecret: string): Secrets {
  const phone = keyed(hashSecret, 'phone');
  const code = keyed(hashSecret, 'one-time code');
  const device = keyed(hashSecret, 'device');
  const address = keyed(hashSecret, 'address');
  const subject = keyed(hashSecret, 'identity provider subject');
  const refresh = keyed(hashSecret, 'refresh token');
  const deviceTokens = createSeal(keyOf(hashSecret, 'device token'));
  const inviteTokens = createSeal(keyOf(hashSecret, 'invite token'));

  return {
    hashPhone: (number) => phone(number).toString('hex'),
    hashCode: (number, digits) => code(`${number}:${digits}`).toString('hex'),
    hashDevice: (deviceId) => device(deviceId).toString('hex'),
    hashAddress: (text) => address(text).toString('hex'),
    hashSubject: (issuer, id) => subject(JSON.stringify([issuer, id])).toString('hex'),
    newToken: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    // Derived, not drawn: a client that lost the answer, or asks twice at once, gets the same successor again
    // although only fingerprints are stored.
    successorOf: (refreshToken) => refresh(refreshToken).toString('base64url'),
    // No key: nobody can guess 256 random bits.
    fingerprint: (token) => createHash('sha256').update(token).digest('hex'),
    sealDeviceToken: deviceTokens.seal,
    openDeviceToken: deviceTokens.open,
    sealInviteToken: inviteTokens.seal,
    openInviteToken: inviteTokens.open,
    newCode: () => randomInt(10_000).toString().padStart(4, '0'),
  };
}

/** HMAC-SHA-256 under a key for `purpose` alone. */
function keyed(secret: string, purpose: string): (text: string) => Buffer {
  const key = createSecretKey(keyOf(secret, purpose));
  return (text) => createHmac('sha256', key).update(text).digest();
}

function keyOf(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `opine ${purpose}`, 32));
}
