import { Buffer } from 'node:buffer';
import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';

/** Generates, hashes and encrypts the service's secrets. Hashes are keyed, in lower-case hex. */
export interface Secrets {
  /** Hashes a phone number, for tables that must not hold the number. */
  hashPhone(phone: string): string;
  /** Hashes a one-time code together with its phone. */
  hashCode(phone: string, code: string): string;
  /** Hashes the device id of an anonymous app install. */
  hashDevice(deviceId: string): string;
  /** Hashes a client's address, for rate limits. */
  hashAddress(address: string): string;
  /** Hashes the user of an identity provider. */
  hashSubject(issuer: string, subject: string): string;
  /** Generates a bearer token: 32 random bytes, base64url. */
  newToken(): string;
  /** Returns the successor of a refresh token, always the same one. */
  deriveSuccessor(refreshToken: string): string;
  /** Returns the SHA-256 of a token, which is stored instead of the token. */
  fingerprint(token: string): string;
  /** Encrypts a push token, because sending needs the token itself: AES-256-GCM, base64. */
  sealDeviceToken(token: string): string;
  /** Decrypts what `sealDeviceToken` returned. @throws if another key encrypted it, or it was modified */
  openDeviceToken(sealed: string): string;
  /** Encrypts an invite token, because an idempotent replay returns it again: AES-256-GCM, base64. */
  sealInviteToken(token: string): string;
  /** Decrypts what `sealInviteToken` returned. @throws if another key encrypted it, or it was modified */
  openInviteToken(sealed: string): string;
  /** Issues a token with which a suspended person appeals: sealed, for a day. */
  sealAppealToken(appellant: Appellant): string;
  /** Opens what `sealAppealToken` returned; null for any other text, and after a day. */
  openAppealToken(token: string): Appellant | null;
  /** Encrypts the transaction id of a write: AES-256-GCM, base64. */
  sealTransactionId(transactionId: string): string;
  /** Decrypts what `sealTransactionId` returned; null for any other text. */
  openTransactionId(sealed: string): string | null;
  /** Generates a one-time code of four digits, uniformly distributed. */
  newCode(): string;
}

/** Who may appeal against which decision. */
export interface Appellant {
  readonly decisionId: string;
  readonly userId: string;
}

const TOKEN_BYTES = 32;
const APPEAL_TOKEN_MS = 24 * 60 * 60 * 1000;

/**
 * Derives the service's keys from one secret, one key for each purpose, so that hashes of different purposes cannot be
 * compared.
 * @param hashSecret at least 32 random bytes
 */
export function createSecrets(hashSecret: string): Secrets {
  const phone = keyed(hashSecret, 'phone');
  const code = keyed(hashSecret, 'one-time code');
  const device = keyed(hashSecret, 'device');
  const address = keyed(hashSecret, 'address');
  const subject = keyed(hashSecret, 'identity provider subject');
  const refresh = keyed(hashSecret, 'refresh token');
  const deviceTokens = createSeal(deriveKey(hashSecret, 'device token'));
  const inviteTokens = createSeal(deriveKey(hashSecret, 'invite token'));
  const appealTokens = createSeal(deriveKey(hashSecret, 'appeal token'));
  const transactionIds = createSeal(deriveKey(hashSecret, 'position of a write'));

  return {
    hashPhone: (number) => phone(number).toString('hex'),
    hashCode: (number, digits) => code(`${number}:${digits}`).toString('hex'),
    hashDevice: (deviceId) => device(deviceId).toString('hex'),
    hashAddress: (text) => address(text).toString('hex'),
    hashSubject: (issuer, id) => subject(JSON.stringify([issuer, id])).toString('hex'),
    newToken: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    // Derived, because only fingerprints are stored: a client that lost the response, or sent two requests at once, gets
    // the same successor.
    deriveSuccessor: (refreshToken) => refresh(refreshToken).toString('base64url'),
    // Unkeyed: 256 random bits cannot be guessed.
    fingerprint: (token) => createHash('sha256').update(token).digest('hex'),
    sealDeviceToken: deviceTokens.seal,
    openDeviceToken: deviceTokens.open,
    sealInviteToken: inviteTokens.seal,
    openInviteToken: inviteTokens.open,
    sealAppealToken: ({ decisionId, userId }) =>
      appealTokens.seal(JSON.stringify({ decisionId, userId, expiresAt: Date.now() + APPEAL_TOKEN_MS })),
    openAppealToken: (token) => {
      try {
        // A decoder of base64 ignores what follows the end, and a token has one form.
        if (Buffer.from(token, 'base64').toString('base64') !== token) return null;
        const { decisionId, userId, expiresAt } = JSON.parse(appealTokens.open(token));
        return expiresAt > Date.now() ? { decisionId, userId } : null;
      } catch {
        return null;
      }
    },
    sealTransactionId: transactionIds.seal,
    openTransactionId: (sealed) => {
      try {
        return transactionIds.open(sealed);
      } catch {
        return null;
      }
    },
    newCode: () => randomInt(10_000).toString().padStart(4, '0'),
  };
}

/** Returns HMAC-SHA-256 with the key for `purpose`. */
function keyed(secret: string, purpose: string): (text: string) => Buffer {
  const key = createSecretKey(deriveKey(secret, purpose));
  return (text) => createHmac('sha256', key).update(text).digest();
}

function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `opine ${purpose}`, 32));
}

/** Encrypts and decrypts texts. */
export interface Seal {
  /** Encrypts a text to base64. The nonce is random, so the same text gives another result each time. */
  seal(text: string): string;
  /** Decrypts a text. @throws if another key encrypted it, or it was modified */
  open(sealed: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns the fastest form of a key: Node takes 16 µs to make a KeyObject of a Buffer, and ciphers of Deno 2.1 accept none. */
function cipherKey(bytes: Buffer): CipherKey {
  const key = createSecretKey(bytes);
  try {
    createCipheriv(CIPHER, key, Buffer.alloc(NONCE_BYTES));
    return key;
  } catch {
    return bytes;
  }
}

/** Creates a seal with AES-256-GCM: nonce, tag, ciphertext. @param keyBytes 32 bytes */
export function createSeal(keyBytes: Buffer): Seal {
  const key = cipherKey(keyBytes);
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
