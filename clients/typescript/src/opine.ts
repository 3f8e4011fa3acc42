import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { isOpineError, readBody } from './error.ts';
import { createStreamFetch, eventStream } from './event-stream.ts';
import { type Connection, follow, type InboxState, type StreamEvent } from './events.ts';
import type { Data, Init, Item, ListPath, Method, Send } from './operations.ts';
import {
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type PlatformOptions,
  platformOf,
  type UploadFile,
} from './platform.ts';
import { withPosition } from './position.ts';
import { type RealtimeOptions, realtimeEvents } from './realtime.ts';
import { retry } from './retry.ts';
import { type Asset, creatingPaths, type Session } from './schema.ts';
import { createTokenRefresher } from './token-refresh.ts';
import { inMemory, type TokenStore, type Tokens, tokensOf } from './tokens.ts';
import { type UploadOptions, upload } from './upload.ts';

/** Options of a client. */
export interface OpineOptions extends PlatformOptions {
  /** The URL of the service, without `/api/v1`. */
  readonly baseUrl: string;
  /** The store of tokens; in memory by default. */
  readonly tokens?: TokenStore;
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
  /** Yields the items of a list, one by one. It requests the next page when a loop needs it. */
  items<P extends ListPath>(path: P, ...init: Init<P, 'get'>): AsyncGenerator<Item<P>, void, undefined>;
  /** Uses a session from now on. @param session the answer of an operation under `/auth` */
  signIn(session: Session): Promise<void>;
  /** Ends the session. Removes its tokens even if Opine is unreachable. */
  signOut(options?: { everywhere?: boolean; notificationDeviceToken?: string }): Promise<void>;
  /**
   * Yields events and reconnects by itself, until `signal` aborts or the loop ends.
   * @throws OpineError if the session has ended
   * @throws RealtimeError if Realtime refuses the channel, or if the Supabase client cannot start
   * @throws PlatformError if the platform cannot read the stream
   */
  events(options?: { signal?: AbortSignal }): AsyncGenerator<StreamEvent, void, undefined>;
  /** Uploads a file. Attach its asset id to a profile, an article or a comment. */
  upload(file: UploadFile, options: UploadOptions): Promise<Asset>;
}

/** The pages of a list. */
export type Pages<P extends ListPath> = AsyncGenerator<Data<P, 'get'>, void, undefined>;

/**
 * Creates a client. It sends no request until it is used.
 * @param options the URL of the service, and what differs from the defaults
 * @throws PlatformError if the platform has no `fetch`
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export function createOpine({ baseUrl, tokens = inMemory(), realtime, ...options }: OpineOptions): Opine {
  const api = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
  const platform = platformOf(options);
  const streamFetch = createStreamFetch(platform, (signal) =>
    platform.fetch(`${api}/auth/login-config`, { method: 'GET', headers: {}, ...(signal && { signal }) }),
  );
  const fetchApi = withPosition(platform.fetch);
  const refresher = createTokenRefresher(tokens, (refreshToken) =>
    fetchApi(`${api}/auth/session/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    }),
  );

  /**
   * Sends a request with the bearer, and again with refreshed tokens after a 401.
   * @param sender who makes the request, if somebody is signed in: it never goes out with the tokens of another person
   */
  async function sendWithSession(
    send: Fetch,
    url: string,
    init: FetchInit,
    sender: string | undefined,
  ): Promise<FetchResponse> {
    const stored = await refresher.fresh();
    const first = stored?.userId === sender ? stored : null;
    const response = await send(url, withBearer(init, first));
    if (response.status !== 401 || first === null) return response;
    const next = await refresher.after(first);
    if (next?.userId !== first.userId) return response;
    // Frees the connection.
    await response.text();
    return send(url, withBearer(init, next));
  }

  /** Returns the method with the types of its paths. */
  function senderOf<M extends Method>(method: M): Send<M> {
    const send = async (path: string, { params = {}, headers, body, signal }: AnyInit = {}) => {
      const url = createFinalURL(path, { baseUrl: api, params, pathSerializer, querySerializer });
      const isCreating = method === 'post' && creatingPaths.has(path);
      const init = {
        method: method.toUpperCase(),
        headers: {
          ...(isCreating && { 'Idempotency-Key': newKey() }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...params.header,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      };
      const sender = (await tokens.read())?.userId;
      const sendOnce = () => sendWithSession(fetchApi, url, init, sender);
      // A vote and a sign-in happen once. All other requests may be repeated.
      const isRepeatable = method !== 'post' || isCreating;
      const response = await (isRepeatable ? retry(sendOnce, signal) : sendOnce());
      return ((await readBody(response)) as { data: unknown }).data;
    };
    return send as Send<M>;
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

  async function* items<P extends ListPath>(
    path: P,
    ...init: Init<P, 'get'>
  ): AsyncGenerator<Item<P>, void, undefined> {
    for await (const page of pages(path, ...init)) yield* (page as { items: Item<P>[] }).items;
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
      const headers = { Accept: 'text/event-stream' };
      yield* eventStream(
        (signal) =>
          sendWithSession(
            streamFetch,
            `${api}/notifications/stream`,
            { method: 'GET', headers, signal },
            stored?.userId,
          ),
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
    items,
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
        if (!isOpineError(error, 'UNAUTHORIZED')) throw error;
      } finally {
        await tokens.write(null);
      }
    },
    events: ({ signal = new AbortController().signal } = {}) => follow(connect, signal),
    upload: (file, options) => upload(post, platform, file, options),
  };
}

/** The parameters and the answer that all lists have in common. */
type PageInit = { params?: { query?: { cursor?: string } } };
type ReadPage<P extends ListPath> = (
  path: P,
  init: PageInit,
) => Promise<Awaited<Data<P, 'get'>> & { nextCursor: string | null }>;

/** What the requests of all operations have in common. */
interface AnyInit {
  readonly params?: {
    readonly path?: Record<string, unknown>;
    readonly query?: Record<string, unknown>;
    readonly header?: Record<string, string>;
  };
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const pathSerializer = defaultPathSerializer;
const querySerializer = createQuerySerializer();

function withBearer(init: FetchInit, tokens: Tokens | null): FetchInit {
  if (tokens === null) return init;
  return { ...init, headers: { ...init.headers, Authorization: `Bearer ${tokens.accessToken}` } };
}

/** Returns a new idempotency key. It need not be secret, because each belongs to one user; React Native has no `crypto`. */
function newKey(): string {
  const part = () => Math.random().toString(36).slice(2);
  return `${Date.now().toString(36)}-${part()}${part()}`;
}
