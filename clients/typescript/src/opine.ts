import createClient from 'openapi-fetch';
import { OpineError, refusalIn } from './error.ts';
import { eventStream } from './event-stream.ts';
import { type Connection, follow, type InboxState, type StreamEvent } from './events.ts';
import { createKeeper } from './keeper.ts';
import { type RealtimeOptions, realtimeEvents } from './realtime.ts';
import type { Data, Init, ListPath, Method, Send } from './requests.ts';
import type { Asset, paths, Session } from './schema.ts';
import { inMemory, type TokenStore, type Tokens, tokensOf } from './tokens.ts';
import { type UploadOptions, upload } from './upload.ts';

/** What a client is made of. */
export interface OpineOptions {
  /** Where the service is, without `/api/v1`. */
  readonly baseUrl: string;
  /** Where tokens are kept; in memory by default. */
  readonly tokens?: TokenStore;
  /** What sends requests; the platform's `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** Where `events` listens by Supabase Realtime; by default it listens to Opine's event stream. */
  readonly realtime?: RealtimeOptions;
}

/** Opine, as whoever is signed in sees it: a guest at first. */
export interface Opine {
  readonly get: Send<'get'>;
  readonly post: Send<'post'>;
  readonly put: Send<'put'>;
  readonly patch: Send<'patch'>;
  readonly delete: Send<'delete'>;
  /** The pages of a list, from the first, or from the `cursor` in `params`, to the last. */
  pages<P extends ListPath>(path: P, ...init: Init<P, 'get'>): Pages<P>;
  /** Goes on as whom a session is of: what one of the operations under `/auth` answered. */
  signIn(session: Session): Promise<void>;
  /** Ends the session, and forgets it also where Opine cannot be reached. */
  signOut(options?: { everywhere?: boolean; notificationDeviceToken?: string }): Promise<void>;
  /**
   * Receives events, from one connection to the next, until `signal` is aborted or the loop is left.
   * @throws OpineError where the session is over
   */
  events(options?: { signal?: AbortSignal }): AsyncGenerator<StreamEvent, void, undefined>;
  /** Uploads a file and makes an asset of it, whose id profiles, articles and comments take. */
  upload(file: Blob, options: UploadOptions): Promise<Asset>;
}

/** The pages of a list. */
export type Pages<P extends ListPath> = AsyncGenerator<Data<P, 'get'>, void, undefined>;

/** Makes a client. It asks nothing of the service until it is used. */
export function createOpine({
  baseUrl,
  tokens = inMemory(),
  fetch: send = fetch,
  realtime,
}: OpineOptions): Opine {
  const api = `${baseUrl.replace(/\/+$/, '')}/api/v1`;
  const keeper = createKeeper(tokens, (refreshToken) =>
    send(`${api}/auth/session/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    }),
  );

  /** As whoever is signed in; once more where the access token is refused and the session goes on. */
  async function sendAsPerson(request: Request): Promise<Response> {
    const again = request.clone();
    const first = await keeper.fresh();
    const response = await send(withBearer(request, first));
    if (response.status !== 401 || first === null) return response;
    const next = await keeper.after(first);
    // Never as somebody else, who signed in meanwhile.
    if (next?.userId !== first.userId) return response;
    await response.body?.cancel();
    return send(withBearer(again, next));
  }

  const person = createClient<paths>({ baseUrl: api, fetch: sendAsPerson });
  person.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await refusalIn(response);
    },
  });

  /** The types of what is sent and answered are those of `path`; openapi-fetch's are of its own making. */
  function sending<M extends Method>(method: M): Send<M> {
    const request = person.request as (
      method: Method,
      path: string,
      init?: object,
    ) => Promise<{ data?: { data: unknown } }>;
    const sendIt = async (path: string, init?: object) => (await request(method, path, init)).data?.data;
    return sendIt as Send<M>;
  }

  const [get, post] = [sending('get'), sending('post')];

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
    const kept = await keeper.fresh();
    if (realtime === undefined || kept === null) {
      yield* eventStream(
        (signal) => sendAsPerson(new Request(`${api}/notifications/stream`, { signal })),
        signal,
      );
      return;
    }
    const accessToken = async () => (await keeper.fresh())?.accessToken ?? null;
    yield* realtimeEvents(realtime, { userId: kept.userId, accessToken, readInbox }, signal);
  }

  return {
    get,
    post,
    put: sending('put'),
    patch: sending('patch'),
    delete: sending('delete'),
    pages,
    signIn: async (session) => tokens.write(tokensOf(session)),
    signOut: async ({ everywhere = false, notificationDeviceToken } = {}) => {
      try {
        const kept = await keeper.fresh();
        if (kept === null) return;
        await post('/auth/logout', {
          body: {
            refreshToken: kept.refreshToken,
            logoutFromAllDevices: everywhere,
            ...(notificationDeviceToken !== undefined && { notificationDeviceToken }),
          },
        });
      } catch (error) {
        // The session was over already.
        if (!(error instanceof OpineError && error.code === 'UNAUTHORIZED')) throw error;
      } finally {
        await tokens.write(null);
      }
    },
    events: ({ signal = new AbortController().signal } = {}) => follow(connect, signal),
    upload: (file, options) => upload(post, send, file, options),
  };
}

/** What a list takes and answers, whichever it is. */
type PageInit = { params?: { query?: { cursor?: string } } };
type ReadPage<P extends ListPath> = (
  path: P,
  init: PageInit,
) => Promise<Awaited<Data<P, 'get'>> & { nextCursor: string | null }>;

function withBearer(request: Request, tokens: Tokens | null): Request {
  if (tokens !== null) request.headers.set('Authorization', `Bearer ${tokens.accessToken}`);
  return request;
}
