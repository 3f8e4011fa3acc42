import { once } from 'node:events';
import { get } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type RunningStaffProvider,
  STAFF_CLIENT_ID,
  startStaffProvider,
} from '../../scripts/local/staff-provider.ts';
import { createStaffIdp } from '../../src/auth/idp.ts';
import { idTokenIn, requestIdToken } from '../support/local-staff.ts';

let provider: RunningStaffProvider;

beforeAll(async () => {
  provider = await startStaffProvider();
});

afterAll(() => provider.stop());

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the staff provider of npm start', () => {
  test.each(['support', 'moderator', 'admin'])(
    'signs in %s by an ID token of its discovered keys',
    async (role) => {
      const discovered = await fetch(`${provider.url}/.well-known/openid-configuration`);
      const { issuer, jwks_uri: jwksUrl } = (await discovered.json()) as Record<string, string>;
      const response = await requestIdToken(provider.url, role, { query: { state: 'a state' } });
      const { origin, pathname, hash } = new URL(response.headers.get('location') ?? '');
      expect([response.status, origin + pathname]).toEqual([303, 'http://localhost:8787/admin']);
      expect(new URLSearchParams(hash.slice(1)).get('state')).toBe('a state');
      const idToken = idTokenIn(response);
      const { payload } = await jwtVerify(idToken, createRemoteJWKSet(new URL(jwksUrl ?? '')), {
        issuer: issuer ?? '',
        audience: STAFF_CLIENT_ID,
      });
      expect(payload.nonce).toBe('a nonce of tests');
      const idp = createStaffIdp({ issuer: provider.url, audience: STAFF_CLIENT_ID, jwksUrl: jwksUrl ?? '' });
      expect(await idp.identify(idToken)).toEqual({
        email: `${role}@opine.example`,
        isEmailVerified: true,
        hostedDomain: 'opine.example',
      });
    },
  );

  test.each([
    ['an address of another machine', { redirect_uri: 'http://evil.example:8787/admin' }],
    ['a name that begins as this machine', { redirect_uri: 'http://localhost:8787@evil.example/admin' }],
    ['another page of this machine', { redirect_uri: 'http://localhost:8787/elsewhere' }],
    ['another client', { client_id: 'another' }],
    ['another flow', { response_type: 'code' }],
    ['no nonce', { nonce: '' }],
  ])('gives no token for %s', async (_, query: Record<string, string>) => {
    expect((await requestIdToken(provider.url, 'admin', { query })).status).toBe(400);
    const page = `${provider.url}/authorize?${new URLSearchParams({ ...query, response_type: 'id_token' })}`;
    expect((await fetch(page)).status).toBe(400);
  });

  test('gives no token for a role that staff does not have', async () => {
    expect((await requestIdToken(provider.url, 'owner')).status).toBe(400);
  });

  test('gives no token to a form of another site', async () => {
    const headers = { origin: 'http://evil.example' };
    expect((await requestIdToken(provider.url, 'admin', { headers })).status).toBe(403);
  });

  test('answers nothing under a foreign name that leads to this machine', async () => {
    const headers = { host: `evil.example:${new URL(provider.url).port}` };
    const [response] = await once(get(`${provider.url}/jwks`, { headers }), 'response');
    response.resume();
    expect(response.statusCode).toBe(421);
  });

  // docs/product.md R6
  test('does not start in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await expect(startStaffProvider()).rejects.toThrow('does not run in production');
  });
});
