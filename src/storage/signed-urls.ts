import { type JWK, SignJWT } from 'jose';
import { ALGORITHM, importSigningKeys } from '../auth/signing-keys.ts';
import type { Bucket } from './buckets.ts';

/** Signs URLs for one object, one action and a limited time, without a request to storage. */
export interface SignedUrls {
  /** Returns a URL for PUTs of a file, any number of times until it expires. */
  upload(key: string, expiresAt: Date): Promise<string>;
  /** Returns a URL to read an object until it expires. @param fileName makes it a download of this name */
  download(bucket: Bucket, key: string, expiresAt: Date, fileName: string | null): Promise<string>;
}

/**
 * Creates a signer of URLs of Supabase Storage, in the format of its own tokens.
 * @param options `signingKeys`: the first key signs; the project trusts it, as for access tokens
 */
export async function createSignedUrls(options: {
  url: string;
  signingKeys: readonly JWK[];
}): Promise<SignedUrls> {
  const { signer } = await importSigningKeys(options.signingKeys);

  async function sign(action: string, object: string, claims: object, expiresAt: Date): Promise<URL> {
    const token = await new SignJWT({ url: object, ...claims })
      .setProtectedHeader({ alg: ALGORITHM, kid: signer.kid, typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(signer.key);
    const url = new URL(`/storage/v1/object/${action}/${object}`, options.url);
    url.searchParams.set('token', token);
    return url;
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
  };
}
