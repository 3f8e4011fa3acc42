import createClient from 'openapi-fetch';
import { OpineError, readError } from './error.ts';
import { eventStream } from './event-stream.ts';
import { type Connection, follow, type InboxState, type StreamEvent } from './events.ts';
import { type RealtimeOptions, realtimeEvents } from './realtime.ts';
import type { Data, Init, ListPath, Method, Send } from './requests.ts';
import type { Asset, paths, Session } from './schema.ts';
import { createTokenRefresher } from './token-refresh.ts';
import { inMemory, type TokenStore, type Tokens, tokensOf } from './tokens.ts';
import { type UploadOptions, upload } from './upload.ts';

/** Options of a client. */
export interface OpineOptions {
  /** The URL of the service, without `/api/v1`. */
  readonly baseUrl: string;
  /** The store of tokens; in memory by default. */
  readonly tokens?: TokenStore;
  /** Sends requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** Makes `events` listen to Supabase Realtime; by default it listens to Opine's event stream. */
  readonly realtime?: RealtimeOptions;
}

/** A client of Opine. Its caller is a guest until `signIn`. */
export interface Opine {
  readonly get: Send<'get'>;
  readonly post: Send<'post'>;
  readonly put: Send<'put'>;
  readonly patch: Send<'patch'>;
  readonly delete: Send<'delete'>;
  /** Yields the pages of a list, from the `cursor` in `params` or from the first one. */
  pages<P extends ListPath>(path: P, ...init: Init<P, 'get'>): Pages<P>;
  /** Uses a session from now on. @param session the answer of an operation under `/auth` */
  signIn(session: Session): Promise<void>;
  /** Ends the session. Removes its tokens even if Opine is unreachable. */
  signOut(options?: { everywhere?: boolean; notificationDeviceToken?: string }): Promise<void>;
  /**
   * Yields events and reconnects by itself, until `signal` aborts or the loop ends.
   * @throws OpineError if the session has ended
   * @throws RealtimeError if Realtime refuses the channel
   */
  events(options?: { signal?: AbortSignal }): AsyncGenerator<StreamEvent, void, undefined>;
  /** Uploads a file. Attach its asset id to a profile, an article or a comment. */
  upload(file: Blob, options: UploadOptions): Promise<Asset>;
}

/** The pages of a list. */
export type Pages<P extends ListPath> = AsyncGenerator<Data<P, 'get'>, void, undefined>;

/** Creates a client. It sends no request until it is used. */
export function createOpine({
  baseUrl,
  tokens = inMemory(),
  fetch: send = fetch,
  realtime,
}: OpineOptions): Opine {
  const api = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
  const refresher = createTokenRefresher(tokens, (refreshToken) =>
    send(`${api}/auth/session/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    }),
  );

  /** Sends a request with the bearer, and retries once with refreshed tokens after a 401. */
  async function sendWithSession(request: Request): Promise<Response> {
    const copy = request.clone();
    const first = await refresher.fresh();
    const response = await send(withBearer(request, first));
    if (response.status !== 401 || first === null) return response;
    const next = await refresher.after(first);
    // Another person may have signed in meanwhile: never retry with their tokens.
    if (next?.userId !== first.userId) return response;
    await response.body?.cancel();
    return send(withBearer(copy, next));
  }

  const client = createClient<paths>({ baseUrl: api, fetch: sendWithSession });
  client.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await readError(response);
    },
  });

  /** Returns the method with our types, which resolve `data` of the success envelope; openapi-fetch's do not. */
  function senderOf<M extends Method>(method: M): Send<M> {
    const request = client.request as (
      method: Method,
      path: string,
      init?: object,
    ) => Promise<{ data?: { data: unknown } }>;
    const sendIt = async (path: string, init?: object) => (await request(method, path, init)).data?.data;
    return sendIt as Send<M>;
  }

  const [get, post] = [senderOf('get'), senderOf('post')];

  async function* pages<P extends ListPath>(path: P, ...[init]: Init<P, 'get'>): Pages<P> {
    const { params, ...rest }: PageInit = init ?? {};
    let cursor = params?.query?.cursor;
    do {
      const query = { ...params?.query, ...(cursor !== undefined && { cursor }) };
      const page = await (get as ReadPage<P>)(path, { ...rest, params: { ...params, query } });
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async function readInbox(signal: AbortSignal): Promise<InboxState> {
    const { unreadCount, inboxVersion } = await get('/notifications', {
      params: { query: { limit: 1 } },
      signal,
    });
    return { unreadCount, inboxVersion };
  }

  async function* connect(signal: AbortSignal): Connection {
    const stored = await refresher.fresh();
    if (realtime === undefined || stored === null) {
      yield* eventStream(
        (signal) => sendWithSession(new Request(`${api}/notifications/stream`, { signal })),
        signal,
      );
      return;
    }
    const accessToken = async () => (await refresher.fresh())?.accessToken ?? null;
    yield* realtimeEvents(realtime, { userId: stored.userId, accessToken, readInbox }, signal);
  }

  return {
    get,
    post,
    put: senderOf('put'),
    patch: senderOf('patch'),
    delete: senderOf('delete'),
    pages,
    signIn: async (session) => tokens.write(tokensOf(session)),
    signOut: async ({ everywhere = false, notificationDeviceToken } = {}) => {
      try {
        const stored = await refresher.fresh();
        if (stored === null) return;
        await post('/auth/logout', {
          body: {
            refreshToken: stored.refreshToken,
            logoutFromAllDevices: everywhere,
            ...(notificationDeviceToken !== undefined && { notificationDeviceToken }),
          },
        });
      } catch (error) {
        // The session has ended already.
        if (!(error instanceof OpineError && error.code === 'UNAUTHORIZED')) throw error;
      } finally {
        await tokens.write(null);
      }
    },
    events: ({ signal = new AbortController().signal } = {}) => follow(connect, signal),
    upload: (file, options) => upload(post, send, file, options),
  };
}

/** The parameters and the answer that all lists have in common. */
type PageInit = { params?: { query?: { cursor?: string } } };
type ReadPage<P extends ListPath> = (
  path: P,
  init: PageInit,
) => Promise<Awaited<Data<P, 'get'>> & { nextCursor: string | null }>;

function withBearer(request: Request, tokens: Tokens | null): Request {
  if (tokens !== null) request.headers.set('Authorization', `Bearer ${tokens.accessToken}`);
  return request;
}
