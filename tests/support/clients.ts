import { onTestFinished } from 'vitest';
import {
  createOpine,
  inMemory,
  type Opine as OpineClient,
  type OpineOptions,
  type TokenStore,
} from '../../clients/typescript/src/index.ts';
import { tokensOf } from '../../clients/typescript/src/tokens.ts';
import type { Opine } from './opine.ts';
import type { Person } from './people.ts';

/** An app on the client of `clients/typescript`, and what a test sees of it besides. */
export interface App extends OpineClient {
  readonly tokens: TokenStore;
  /** The paths that it asked for, oldest first. */
  readonly asked: readonly string[];
  /** What is done with an answer before the app has it; it may throw, as a connection that is lost. */
  onAnswer: (path: string, response: Response) => Response | Promise<Response>;
}

/** An app of somebody who is not signed in. */
export function anApp(
  { url }: Pick<Opine, 'url'>,
  { tokens = inMemory(), ...options }: Partial<OpineOptions> = {},
): App {
  const asked: string[] = [];
  const client = createOpine({
    ...options,
    baseUrl: url,
    tokens,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const path = new URL(request.url).pathname.replace('/api/v1', '');
      asked.push(path);
      return app.onAnswer(path, await fetch(request));
    },
  });
  const app: App = { ...client, tokens, asked, onAnswer: (_, response) => response };
  return app;
}

/** An app in which `person` is signed in. */
export function anAppOf(
  opine: Pick<Opine, 'url'>,
  { session }: Person,
  options: Partial<OpineOptions> = {},
): App {
  return anApp(opine, { ...options, tokens: inMemory(tokensOf(session as Parameters<typeof tokensOf>[0])) });
}

/** What an app hears until the test that asked for it ends. */
export function whatHears(app: App): { events: object[]; ended: Promise<void> } {
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
