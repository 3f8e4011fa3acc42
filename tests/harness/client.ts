/** An answer of the API, its JSON read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // The tests assert the shape; the server has checked it against its schema.
  readonly data: Json;
  readonly error: { readonly code: string; readonly message: string; readonly details: Json };
}

/** JSON whose shape a test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there.
export type Json = any;

/** What a request carries beyond its path. */
export interface Extras {
  readonly headers?: Record<string, string>;
}

/** A caller of the API: a guest, or whoever the token is of. */
export interface Client {
  get(path: string, extras?: Extras): Promise<Reply>;
  post(path: string, body?: unknown, extras?: Extras): Promise<Reply>;
  put(path: string, body?: unknown, extras?: Extras): Promise<Reply>;
  patch(path: string, body?: unknown, extras?: Extras): Promise<Reply>;
  delete(path: string, extras?: Extras): Promise<Reply>;
}

/** A client of the API at `url`, with a bearer where `accessToken` is given. Paths are below `/api/v1`. */
export function clientOf(url: string, accessToken?: string): Client {
  async function send(method: string, path: string, body: unknown, extras: Extras = {}): Promise<Reply> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...extras.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as Json;
    return { status: response.status, headers: response.headers, data, error };
  }
  return {
    get: (path, extras) => send('GET', path, undefined, extras),
    post: (path, body, extras) => send('POST', path, body, extras),
    put: (path, body, extras) => send('PUT', path, body, extras),
    patch: (path, body, extras) => send('PATCH', path, body, extras),
    delete: (path, extras) => send('DELETE', path, undefined, extras),
  };
}
