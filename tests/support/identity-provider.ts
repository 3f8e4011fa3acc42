import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

/** The algorithms that the played provider signs with. */
export type Algorithm = 'RS256' | 'ES256';

/** A key pair as JWK. */
export interface ProviderKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/**
 * What to answer instead of the keys: a response, none for as long as the client waits (`hang`), or a closed connection
 * (`reset`).
 */
export type Trouble = 'hang' | 'reset' | { readonly status: number; readonly body: string };

/** An identity provider on a loopback port: who asks gets its public keys. */
export interface IdentityProvider {
  readonly jwksUrl: string;
  /** How often its keys were asked for, answered or not. */
  readonly fetchCount: number;
  /** The key that signs by an algorithm now. */
  keyOf(algorithm: Algorithm): ProviderKey;
  /** Signs claims with the key of an algorithm, RS256 unless said. */
  sign(claims: object, algorithm?: Algorithm): Promise<string>;
  /** Signs with new keys from now on; the old ones stay published. */
  rotate(): Promise<void>;
  /** Answers so from now on, until `recover`. */
  fail(trouble: Trouble): void;
  /** Refuses connections from now on, until `recover`. */
  vanish(): Promise<void>;
  recover(): Promise<void>;
  close(): Promise<void>;
}

/** Those that every provider of a test file starts with: RSA keys take long to find. */
let firstKeys: Promise<ProviderKey[]> | undefined;

/** Starts a provider with a key for each algorithm. Ended by the `close` of whoever started it. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  firstKeys ??= newKeys(1);
  const published: ProviderKey[] = [...(await firstKeys)];
  let trouble: Trouble | undefined;
  let fetchCount = 0;
  let generation = 1;

  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    if (incoming.url !== '/keys') return void outgoing.writeHead(404).end();
    fetchCount += 1;
    respond(outgoing, trouble ?? published);
  });
  const open = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const shut = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await open(0);
  const { port } = server.address() as AddressInfo;

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
    fail: (kind) => {
      trouble = kind;
    },
    vanish: shut,
    recover: async () => {
      trouble = undefined;
      if (!server.listening) await open(port);
    },
    close: shut,
  };
}

/** A JWT of `claims` by a private key; `header` overrides what the key says of itself, or leaves it out. */
export async function signedBy(key: JWK, claims: object, header: object = {}): Promise<string> {
  const { alg, ...rest } = { alg: key.alg ?? '', kid: key.kid, typ: 'JWT', ...header };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(JSON.parse(JSON.stringify({ alg, ...rest })))
    .sign(await importJWK({ ...key, alg }, alg));
}

/** A key pair that nobody has seen. */
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

function respond(outgoing: ServerResponse, answer: Trouble | readonly ProviderKey[]): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    outgoing.destroy();
    return;
  }
  const isTrouble = 'status' in answer;
  const body = isTrouble ? answer.body : JSON.stringify({ keys: answer.map(({ publicJwk }) => publicJwk) });
  // As Google's says: for hours.
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=19845' };
  outgoing.writeHead(isTrouble ? answer.status : 200, headers).end(body);
}
