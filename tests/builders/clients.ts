import {
  createOpine,
  inMemory,
  type Opine as OpineClient,
  type TokenStore,
} from '../../clients/typescript/src/index.ts';
import { tokensOf } from '../../clients/typescript/src/tokens.ts';
import type { Opine } from '../harness/opine.ts';
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
export function anApp({ url }: Pick<Opine, 'url'>, tokens: TokenStore = inMemory()): App {
  const asked: string[] = [];
  const client = createOpine({
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
export function anAppOf(opine: Pick<Opine, 'url'>, { session }: Person): App {
  return anApp(opine, inMemory(tokensOf(session as Parameters<typeof tokensOf>[0])));
}
