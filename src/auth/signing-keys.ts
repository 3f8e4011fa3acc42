import { type CryptoKey, importJWK, type JWK } from 'jose';

/** The algorithm of every access token: ECDSA over P-256. */
export const ALGORITHM = 'ES256';

/** Keys ready for use. */
export interface SigningKeys {
  /** The key that signs, and the `kid` that its signatures name. */
  readonly signer: { readonly kid: string; readonly key: CryptoKey };
  /** The keys that verify, by `kid`. */
  readonly verifiers: ReadonlyMap<string, CryptoKey>;
  /** The public halves of all keys, for others to verify with. */
  readonly published: readonly JWK[];
}

/**
 * Imports P-256 keys, each with its own `kid`. All verify; the first signs, and so has its private part `d`.
 * Throws an error that names a key that does not fit by its place, and shows nothing of it.
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
    throw new Error('the first signing key must be there with its private part "d"');
  }
  return { signer: { kid: first.kid, key: await imported({ ...first, d }, 0) }, verifiers, published };
}

/** Leaves `d` out, and `key_ops`: on a key pair it names what the one half or the other may not do. */
function publicHalf(key: JWK, index: number): JWK & { readonly kid: string } {
  const { kty, crv, x, y, kid, alg = ALGORITHM } = key;
  if (kty !== 'EC' || crv !== 'P-256' || alg !== ALGORITHM || !x || !y || !kid) {
    throw new Error(`signing key ${index + 1} is no ${ALGORITHM} key: kty "EC", crv "P-256", x, y and kid`);
  }
  return { kty, crv, x, y, kid, alg, use: 'sig' };
}

async function imported(key: JWK, index: number): Promise<CryptoKey> {
  const result = await importJWK(key).catch(() => undefined);
  // The reason stays behind: it may quote the key.
  if (result === undefined || result instanceof Uint8Array) {
    throw new Error(`signing key ${index + 1} is no point of P-256, or its "d" belongs to another key`);
  }
  return result;
}
