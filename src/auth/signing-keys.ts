import { type CryptoKey, importJWK, type JWK } from 'jose';

/** The algorithm of every access token: ECDSA over P-256. */
export const ALGORITHM = 'ES256';

/** Imported keys. */
export interface SigningKeys {
  /** The key that signs, with its `kid`. */
  readonly signer: { readonly kid: string; readonly key: CryptoKey };
  /** The keys that verify, by `kid`. */
  readonly verifiers: ReadonlyMap<string, CryptoKey>;
  /** The public keys, for other services to verify signatures. */
  readonly published: readonly JWK[];
}

/**
 * Imports P-256 keys, each with a `kid` of its own.
 * @param keys all verify; the first signs, so it needs its private part `d`
 * @throws Error with the position of an unusable key, and no key material
 */
export async function importSigningKeys(keys: readonly JWK[]): Promise<SigningKeys> {
  const published = keys.map(publicHalf);
  const verifiers = new Map<string, CryptoKey>();
  for (const [index, key] of published.entries()) {
    if (verifiers.has(key.kid)) throw new Error(`signing key ${index + 1} repeats the kid of an earlier one`);
    verifiers.set(key.kid, await imported(key, index));
  }

  const [first] = published;
  const d = keys[0]?.d;
  if (first === undefined || d === undefined) {
    throw new Error('the first signing key is missing, or has no private part "d"');
  }
  return { signer: { kid: first.kid, key: await imported({ ...first, d }, 0) }, verifiers, published };
}

/** Returns the public key: without `d`, and without `key_ops`, whose values differ for private and public keys. */
function publicHalf(key: JWK, index: number): JWK & { readonly kid: string } {
  const { kty, crv, x, y, kid, alg = ALGORITHM } = key;
  if (kty !== 'EC' || crv !== 'P-256' || alg !== ALGORITHM || !x || !y || !kid) {
    throw new Error(`signing key ${index + 1} is no ${ALGORITHM} key: kty "EC", crv "P-256", x, y and kid`);
  }
  return { kty, crv, x, y, kid, alg, use: 'sig' };
}

async function imported(key: JWK, index: number): Promise<CryptoKey> {
  const result = await importJWK(key).catch(() => undefined);
  // The error of jose is dropped, because it may quote the key.
  if (result === undefined || result instanceof Uint8Array) {
    throw new Error(`signing key ${index + 1} is not a point on P-256, or its "d" belongs to another key`);
  }
  return result;
}
