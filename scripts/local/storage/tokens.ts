import {
  createLocalJWKSet,
  errors,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { invalidJwt, invalidSignature } from './errors.ts';
import type { ObjectName } from './names.ts';

/** What the holder of a signed URL may do with its one object. */
type TokenScope = 'download' | 'upload';

/** What a sound token says. */
export interface SignedGrant {
  readonly expiresAt: Date;
  /** For an upload: whether it may replace the object. */
  readonly upsert: boolean;
}

const ALGORITHM = 'HS256';
const ALGORITHM_OF_KEYS = 'ES256';

/** Makes and checks the tokens of signed URLs, in the form that Supabase Storage gives them. */
export class Tokens {
  readonly #secret: Uint8Array;
  readonly #verifier: JWTVerifyGetKey;

  /**
   * `signingSecret` is what the project signs with, `keys` are the public ones that it trusts: a token made elsewhere with
   * either is as good.
   */
  constructor(signingSecret: string, keys: readonly JWK[]) {
    this.#secret = new TextEncoder().encode(signingSecret);
    const keyOf = createLocalJWKSet({ keys: [...keys] });
    this.#verifier = (header, token) => (header.alg === ALGORITHM ? this.#secret : keyOf(header, token));
  }

  /** A token to read the object for `expiresInSeconds`. */
  signDownload(name: ObjectName, expiresInSeconds: number): Promise<string> {
    return this.#sign({ url: urlOf(name), scope: 'download' satisfies TokenScope }, expiresInSeconds);
  }

  /** A token to write the object for `expiresInSeconds`. */
  signUpload(name: ObjectName, upsert: boolean, expiresInSeconds: number): Promise<string> {
    return this.#sign({ url: urlOf(name), scope: 'upload' satisfies TokenScope, upsert }, expiresInSeconds);
  }

  /** Raises unless `token` is sound, not expired, and made for this object and this scope. */
  async verify(token: string, name: ObjectName, scope: TokenScope): Promise<SignedGrant> {
    const payload = await this.#payloadOf(token);
    if (payload.scope !== scope) {
      throw invalidSignature(`Token is not scoped for ${scope}`);
    }
    if (payload.url !== urlOf(name)) {
      throw invalidSignature();
    }
    return { expiresAt: new Date((payload.exp ?? 0) * 1000), upsert: payload.upsert === true };
  }

  #sign(claims: JWTPayload, expiresInSeconds: number): Promise<string> {
    const token = new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM }).setIssuedAt();
    return token.setExpirationTime(`${expiresInSeconds}s`).sign(this.#secret);
  }

  async #payloadOf(token: string): Promise<JWTPayload> {
    try {
      const options = { algorithms: [ALGORITHM, ALGORITHM_OF_KEYS], requiredClaims: ['exp'] };
      return (await jwtVerify(token, this.#verifier, options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) {
        throw invalidJwt(error.message);
      }
      throw error;
    }
  }
}

function urlOf({ bucket, key }: ObjectName): string {
  return `${bucket}/${key}`;
}
