import { parseArgs } from 'node:util';
import type { JWK } from 'jose';
import { importSigningKeys } from '../src/auth/signing-keys.ts';
import { runScript } from './db/run-script.ts';
import { makeSigningKey } from './signing-key.ts';

/**
 * Prints a new signing key. With `--public` it prints the public keys of `JWT_SIGNING_KEYS`, by which services of Supabase verify
 * tokens; with `--with-jwt-secret` the shared secret of a self-hosted project beside them.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      public: { type: 'boolean', default: false },
      'with-jwt-secret': { type: 'boolean', default: false },
    },
  });
  const printed = values.public
    ? await publicKeySet(process.env, values['with-jwt-secret'])
    : await makeSigningKey();
  process.stdout.write(`${JSON.stringify(printed)}\n`);
}

/**
 * Returns the public halves of `JWT_SIGNING_KEYS`; with `withSecret` also `JWT_SECRET`, which signs tokens of the service role.
 * @throws Error if a variable is missing, or `JWT_SIGNING_KEYS` is not a list of ES256 keys
 */
async function publicKeySet(
  { JWT_SIGNING_KEYS: keys, JWT_SECRET: secret }: NodeJS.ProcessEnv,
  withSecret: boolean,
) {
  if (!keys) throw new Error('JWT_SIGNING_KEYS is not set: the signing keys of the service.');
  const { published } = await importSigningKeys(parseKeys(keys));
  if (!withSecret) return { keys: published };
  if (!secret) throw new Error('JWT_SECRET is not set: the shared secret of a self-hosted project.');
  return { keys: [...published, sharedKey(secret)] };
}

function parseKeys(text: string): JWK[] {
  try {
    const keys: unknown = JSON.parse(text);
    if (Array.isArray(keys)) return keys;
  } catch {
    // The error of JSON.parse quotes the text, which has private keys.
  }
  throw new Error('JWT_SIGNING_KEYS is not a JSON array of keys.');
}

function sharedKey(secret: string): JWK {
  return { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' };
}

runScript(main);
