import { STAFF_CLIENT_ID } from '../../scripts/local/staff-provider.ts';

/** Requests an ID token of the local staff provider, as its page does. `changes` override or remove parameters and headers. */
export function requestIdToken(
  providerUrl: string,
  role: string,
  { query = {}, headers = {} }: { query?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<Response> {
  const url = new URL('/authorize', providerUrl);
  const request = {
    response_type: 'id_token',
    scope: 'openid email',
    client_id: STAFF_CLIENT_ID,
    redirect_uri: 'http://localhost:8787/admin',
    nonce: 'a nonce of tests',
    ...query,
  };
  url.search = String(new URLSearchParams(request));
  return fetch(url, {
    method: 'POST',
    headers: { origin: providerUrl, ...headers },
    body: new URLSearchParams({ role }),
    redirect: 'manual',
  });
}

/** Returns the ID token in the address that the provider leads to. */
export function idTokenIn(response: Response): string {
  const { hash } = new URL(response.headers.get('location') ?? '');
  return new URLSearchParams(hash.slice(1)).get('id_token') ?? '';
}
