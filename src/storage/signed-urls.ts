import { p256 } from '@noble/curves/nist.js';
import { base64url, type JWK, SignJWT } from 'jose';
import { ALGORITHM, importSigningKeys } from '../auth/signing-keys.ts';
import { createCache } from '../cache.ts';
import type { Bucket } from './buckets.ts';

/** Signs URLs for one object, one action and a limited time, without a request to storage. */
export interface SignedUrls {
  /** Returns a URL for PUTs of a file, any number of times until it expires. */
  upload(key: string, expiresAt: Date): Promise<string>;
  /** Returns a URL to read an object until it expires. @param fileName makes it a download of this name */
  download(bucket: Bucket, key: string, expiresAt: Date, fileName: string | null): Promise<string>;
  /** Returns the same URL for the same object and time, in every process, so that clients can cache the object by it. */
  stableDownload(object: SignedObject, time: { issuedAt: Date; expiresAt: Date }): string;
}

/** An object to read. A `fileName` makes it a download of this name. */
export interface SignedObject {
  readonly bucket: Bucket;
  readonly key: string;
  readonly fileName: string | null;
}

/** Enough for the pictures that many people look at in a quarter of an hour; each takes half a kilobyte. */
const MAX_STABLE_URLS = 20_000;

/**
 * Creates a signer of URLs of Supabase Storage, in the format of its own tokens.
 * @param options `signingKeys`: the first key signs; the project trusts it, as for access tokens
 */
export async function createSignedUrls(options: {
  url: string;
  signingKeys: readonly JWK[];
}): Promise<SignedUrls> {
  const { signer } = await importSigningKeys(options.signingKeys);
  const header = { alg: ALGORITHM, kid: signer.kid, typ: 'JWT' };
  const signStably = createStableSigner(header, options.signingKeys[0]?.d ?? '');
  const stableUrls = createCache<string>(MAX_STABLE_URLS);

  async function sign(action: string, object: string, claims: object, expiresAt: Date): Promise<URL> {
    const token = await new SignJWT({ url: object, ...claims })
      .setProtectedHeader(header)
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(signer.key);
    return buildUrl(action, object, token);
  }

  function buildUrl(action: string, object: string, token: string): URL {
    const url = new URL(`/storage/v1/object/${action}/${object}`, options.url);
    url.searchParams.set('token', token);
    return url;
  }

  function findStableUrl({ bucket, key, fileName }: SignedObject, iat: number, exp: number): string {
    const object = `${bucket}/${key}`;
    const url = buildUrl('sign', object, signStably({ url: object, scope: 'download', iat, exp }));
    if (fileName !== null) url.searchParams.set('download', fileName);
    return url.href;
  }

  return {
    upload: async (key, expiresAt) => {
      const claims = { scope: 'upload', upsert: true };
      return (await sign('upload/sign', `uploads/${key}`, claims, expiresAt)).href;
    },
    download: async (bucket, key, expiresAt, fileName) => {
      const url = await sign('sign', `${bucket}/${key}`, { scope: 'download' }, expiresAt);
      if (fileName !== null) url.searchParams.set('download', fileName);
      return url.href;
    },
    stableDownload: (object, { issuedAt, expiresAt }) => {
      const [iat, exp] = [issuedAt.getTime() / 1_000, expiresAt.getTime() / 1_000];
      // A signature takes a hundred times as long as a look-up.
      const name = `${object.key} ${iat}`;
      const cached = stableUrls.get(name);
      if (cached !== undefined) return cached;
      const url = findStableUrl(object, iat, exp);
      stableUrls.set(name, url);
      return url;
    },
  };
}

/**
 * Returns a function that signs claims as a JWT. The same claims have the same signature (RFC 6979), while those of Web
 * Crypto are random.
 */
function createStableSigner(header: object, d: string): (claims: object) => string {
  const secret = base64url.decode(d);
  const encoded = (part: object) => base64url.encode(JSON.stringify(part));
  return (claims) => {
    const signed = `${encoded(header)}.${encoded(claims)}`;
    const signature = p256.sign(new TextEncoder().encode(signed), secret, { lowS: false });
    return `${signed}.${base64url.encode(signature)}`;
  };
}
