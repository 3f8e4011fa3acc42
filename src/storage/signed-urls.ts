import { type JWK, SignJWT } from 'jose';
import { ALGORITHM, importSigningKeys } from '../auth/signing-keys.ts';
import type { Bucket } from './buckets.ts';

/** Addresses in storage that are good for one object, one act and a time. Nobody is asked for them. */
export interface SignedUrls {
  /** Where a file may be PUT, again and again, until `expiresAt`. */
  upload(key: string, expiresAt: Date): Promise<string>;
  /** Where an object may be read until `expiresAt`; with a `fileName`, as a download of that name. */
  download(bucket: Bucket, key: string, expiresAt: Date, fileName: string | null): Promise<string>;
}

/**
 * Makes signed URLs of the storage at `url`: tokens as Supabase Storage makes them itself, signed by the first of
 * `signingKeys`, which the project knows, as it does for access tokens.
 */
export async function createSignedUrls(options: {
  url: string;
  signingKeys: readonly JWK[];
}): Promise<SignedUrls> {
  const { signer } = await importSigningKeys(options.signingKeys);

  async function sign(act: string, object: string, claims: object, expiresAt: Date): Promise<URL> {
    const token = await new SignJWT({ url: object, ...claims })
      .setProtectedHeader({ alg: ALGORITHM, kid: signer.kid, typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(signer.key);
    const url = new URL(`/storage/v1/object/${act}/${object}`, options.url);
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
