import { createServer } from 'node:http';
import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { close, type FakeAnswer, listen, respond } from './loopback.ts';

export type Algorithm = 'RS256' | 'ES256';

export interface ProviderKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** A fake identity provider that publishes its keys on a loopback port. */
export interface IdentityProvider {
  readonly jwksUrl: string;
  /** Requests for the keys, answered or not. */
  readonly fetchCount: number;
  /** Returns the current key of an algorithm. */
  keyOf(algorithm: Algorithm): ProviderKey;
  sign(claims: object, algorithm?: Algorithm): Promise<string>;
  /** Signs with new keys from now on; old keys stay published. */
  rotate(): Promise<void>;
  /** Answers with `failure` until `recover`. */
  fail(failure: FakeAnswer): void;
  /** Refuses connections until `recover`. */
  vanish(): Promise<void>;
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** Google caches its keys for hours. */
const CACHED = { 'cache-control': 'public, max-age=19845' };

/** Shared by all providers of a test file: RSA keys are slow to generate. */
let firstKeys: Promise<ProviderKey[]> | undefined;

/** Starts a provider with a key per algorithm; the caller closes it. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  firstKeys ??= newKeys(1);
  const published: ProviderKey[] = [...(await firstKeys)];
  let failure: FakeAnswer | undefined;
  let fetchCount = 0;
  let generation = 1;

  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    if (incoming.url !== '/keys') return void outgoing.writeHead(404).end();
    fetchCount += 1;
    const body = { keys: published.map(({ publicJwk }) => publicJwk) };
    const answer = failure ?? { status: 200, body };
    respond(outgoing, typeof answer === 'string' ? answer : { ...answer, headers: CACHED });
  });
  const shut = async () => {
    if (server.listening) await close(server);
  };
  const port = await listen(server);

  const keyOf = (algorithm: Algorithm): ProviderKey => {
    const key = published.findLast(({ alg }) => alg === algorithm);
    if (key === undefined) throw new Error(`There is no key of ${algorithm}.`);
    return key;
  };
  return {
    jwksUrl: `http://127.0.0.1:${port}/keys`,
    get fetchCount() {
      return fetchCount;
    },
    keyOf,
    sign: (claims, algorithm = 'RS256') => signedBy(keyOf(algorithm).privateJwk, claims),
    rotate: async () => {
      generation += 1;
      published.push(...(await newKeys(generation)));
    },
    fail: (answer) => {
      failure = answer;
    },
    vanish: shut,
    recover: async () => {
      failure = undefined;
      if (!server.listening) await listen(server, port);
    },
    close: shut,
  };
}

/** Signs `claims` as a JWT; `header` overrides or removes header fields of the key. */
export async function signedBy(key: JWK, claims: object, header: object = {}): Promise<string> {
  const { alg, ...rest } = { alg: key.alg ?? '', kid: key.kid, typ: 'JWT', ...header };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg, ...rest })))
    .sign(await importJWK({ ...key, alg }, alg));
}

export async function newKey(alg: Algorithm, kid: string): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const common = { kid, alg, use: 'sig' };
  return {
    kid,
    alg,
    privateJwk: { ...(await exportJWK(privateKey)), ...common },
    publicJwk: { ...(await exportJWK(publicKey)), ...common },
  };
}

function newKeys(generation: number): Promise<ProviderKey[]> {
  return Promise.all([newKey('RS256', `rsa-${generation}`), newKey('ES256', `ec-${generation}`)]);
}
