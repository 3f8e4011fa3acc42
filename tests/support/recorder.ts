import { ROUTES } from '../../src/domains/all.ts';
import { type Client, clientOf, type Json, type Reply } from './client.ts';

/** What is sent along with a call. */
export interface Parts {
  /** JSON, or a text that is sent as it is. */
  readonly body?: unknown;
  /** The id in the path, or each of several. */
  readonly id?: string | readonly string[];
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

/** One call of an operation. */
export interface Recorded {
  readonly operation: string;
  readonly reply: Reply;
}

/** Somebody who calls operations by their ids and keeps what came of it. */
export interface Recorder {
  /** Calls an operation and returns its data. */
  call(operation: string, parts?: Parts): Promise<Json>;
  /** The same with another token, or none; what it keeps is kept together. */
  as(accessToken?: string): Recorder;
  /** Every call by the id of its request. */
  readonly calls: ReadonlyMap<string, Recorded>;
  /** Keeps tokens that were made elsewhere. */
  keep(...tokens: string[]): void;
  /** Every token that was answered or kept. */
  readonly tokens: ReadonlySet<string>;
}

/** A recorder of calls to the server at `url`. */
export function recorderOf(url: string): Recorder {
  const calls = new Map<string, Recorded>();
  const tokens = new Set<string>();
  return recorder(clientOf(url));

  function recorder(client: Client): Recorder {
    return {
      calls,
      tokens,
      keep: (...others) => {
        for (const token of others) tokens.add(token);
      },
      as: (accessToken) => recorder(clientOf(url, accessToken)),
      call: async (operation, parts = {}) => {
        const reply = await send(client, operation, parts);
        calls.set(reply.headers.get('x-request-id') ?? '', { operation, reply });
        for (const name of ['accessToken', 'refreshToken']) {
          if (reply.data?.[name]) tokens.add(reply.data[name]);
        }
        return reply.data;
      },
    };
  }
}

function send(
  client: Client,
  operation: string,
  { body, id = '', query = '', headers }: Parts,
): Promise<Reply> {
  const route = ROUTES.find((candidate) => candidate.id === operation);
  if (route === undefined) throw new Error(`There is no operation ${operation}.`);
  const ids = typeof id === 'string' ? [id] : [...id];
  const path = route.path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? '') + query;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return client.send(route.method.toUpperCase(), path, text, {
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
}
