import { onTestFinished } from 'vitest';
import {
  createOpine,
  type Fetch,
  type FetchResponse,
  inMemory,
  type Opine as OpineClient,
  type OpineOptions,
  type TokenStore,
} from '../../clients/typescript/src/index.ts';
import { tokensOf } from '../../clients/typescript/src/tokens.ts';
import type { Opine } from './opine.ts';
import type { Person } from './people.ts';

/** An app built on `clients/typescript`. */
export interface App extends OpineClient {
  readonly tokens: TokenStore;
  /** Requested paths, oldest first. */
  readonly requestedPaths: readonly string[];
  /** Intercepts a response; may throw to simulate a lost connection. */
  onAnswer: (path: string, response: FetchResponse) => FetchResponse | Promise<FetchResponse>;
}

/** Options of a client; `send` sends its requests in the place of `fetch`. */
type AppOptions = Partial<OpineOptions> & { readonly send?: Fetch };

/** Creates an app that is not signed in. */
export function anApp(
  { url }: Pick<Opine, 'url'>,
  { tokens = inMemory(), send = fetch, ...options }: AppOptions = {},
): App {
  const requestedPaths: string[] = [];
  const client = createOpine({
    ...options,
    baseUrl: url,
    tokens,
    fetch: async (target, init) => {
      const path = new URL(target).pathname.replace('/api/v1', '');
      requestedPaths.push(path);
      return app.onAnswer(path, await send(target, init));
    },
  });
  const app: App = { ...client, tokens, requestedPaths, onAnswer: (_, response) => response };
  return app;
}

/** Creates an app with the session of `person`. */
export function anAppOf(opine: Pick<Opine, 'url'>, { session }: Person, options: AppOptions = {}): App {
  return anApp(opine, { ...options, tokens: inMemory(tokensOf(session as Parameters<typeof tokensOf>[0])) });
}

/** Collects the events of `app` until the test ends. */
export function collectEvents(app: App): { events: object[]; ended: Promise<void> } {
  const leaving = new AbortController();
  const events: object[] = [];
  const listen = async () => {
    for await (const event of app.events({ signal: leaving.signal })) events.push(event);
  };
  const ended = listen();
  onTestFinished(() => {
    leaving.abort();
    return ended.catch(() => {});
  });
  return { events, ended };
}
