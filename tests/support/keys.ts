import { exportJWK, generateKeyPair } from 'jose';

const { privateKey } = await generateKeyPair('ES256', { extractable: true });

/** Signs access tokens in tests. */
export const SIGNING_KEY = { ...(await exportJWK(privateKey)), kid: 'key-of-tests', alg: 'ES256' };

/** Seals pending votes in tests. */
export const PENDING_VOTE_KEY = Buffer.alloc(32, 'a key of tests').toString('base64');
