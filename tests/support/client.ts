import { type Json, type Reply, readReply } from './reply.ts';

export type { Json, Reply } from './reply.ts';

// Whatever takes longer hangs.
const TIMEOUT_MS = 30_000;

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
  /** Sends a body as it is, with no content type but one of `extras`. */
  send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    extras?: Extras,
  ): Promise<Reply>;
}

/**
 * A client of the API at `url`, with a bearer where `accessToken` is given. Paths are below `/api/v1`.
 * Each of its methods throws where the answer breaks what holds for every answer: see `readReply`.
 */
export function clientOf(url: string, accessToken?: string): Client {
  const send: Client['send'] = async (method, path, body, extras = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...extras.headers,
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return readReply(response);
  };
  const sendJson = (method: string, path: string, body: unknown, extras: Extras = {}) =>
    body === undefined
      ? send(method, path, undefined, extras)
      : send(method, path, JSON.stringify(body), {
          headers: { 'content-type': 'application/json', ...extras.headers },
        });
  return {
    get: (path, extras) => sendJson('GET', path, undefined, extras),
    post: (path, body, extras) => sendJson('POST', path, body, extras),
    put: (path, body, extras) => sendJson('PUT', path, body, extras),
    patch: (path, body, extras) => sendJson('PATCH', path, body, extras),
    delete: (path, extras) => sendJson('DELETE', path, undefined, extras),
    send,
  };
}

/** What an answer that refuses looks like, for `toMatchObject`. */
export function refusal(status: number, code: string, details: Json = {}): Json {
  return { status, error: { code, details } };
}
