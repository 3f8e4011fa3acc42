import { exportJWK, generateKeyPair } from 'jose';

const { privateKey } = await generateKeyPair('ES256', { extractable: true });

/** The key that signs access tokens in tests. */
export const SIGNING_KEY = { ...(await exportJWK(privateKey)), kid: 'key-of-tests', alg: 'ES256' };

/** The key that seals pending totals of votes in tests. */
export const PENDING_VOTE_KEY = Buffer.alloc(32, 'a key of tests').toString('base64');
