import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JWK, type JWTPayload, jwtVerify } from 'jose';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

/** Options of `startRealtime`. */
export interface RealtimeOptions {
  /** The HTTP server that gets WebSockets at `/realtime/v1/websocket`. */
  readonly server: Server;
  /** Connection URL of a role that bypasses the policies of `realtime.messages` and may become `authenticated`. */
  readonly databaseUrl: string;
  /** The `apikey` of clients. */
  readonly publishableKey: string;
  /** The public keys of access tokens. */
  readonly keys: readonly JWK[];
}

/** A running local Realtime. */
export interface RunningRealtime {
  /** Closes every connection. */
  stop(): Promise<void>;
}

const PATH = '/realtime/v1/websocket';
const RECONNECT_MS = 500;
const PREFIX = 'realtime:';

/** A message of Phoenix, of either wire format. */
interface Message {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** A joined channel of a client. */
interface Channel {
  readonly joinRef: string | null;
  token: string;
  expiry: NodeJS.Timeout | undefined;
}

const Join = z.object({
  config: z.object({ private: z.boolean().optional() }).optional(),
  access_token: z.string().optional(),
});
const NewToken = z.object({ access_token: z.string().nullable() });

/**
 * Starts a stand-in for Supabase Realtime with private channels for broadcasts of the database: Phoenix channels in the wire
 * formats 1.0.0 and 2.0.0, with the replies and errors of Realtime 2. It checks the policies of `realtime.messages` like
 * Realtime. It has no broadcasts by clients, no presence and no subscriptions to tables.
 */
export async function startRealtime(options: RealtimeOptions): Promise<RunningRealtime> {
  if (process.env.NODE_ENV === 'production')
    throw new Error('The local Realtime does not run in production.');
  const { server, databaseUrl, publishableKey, keys } = options;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => {});
  const sockets = new WebSocketServer({ noServer: true });
  const clients = new Set<Client>();
  const check = accessCheck(pool, keys);

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    if (url === null) return refuse(socket, '400 Bad Request', 'Bad request');
    const { pathname, searchParams } = url;
    if (pathname !== PATH) return refuse(socket, '404 Not Found', 'Not found');
    if (searchParams.get('apikey') !== publishableKey)
      return refuse(socket, '401 Unauthorized', 'API key is missing');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const format = searchParams.get('vsn') === '2.0.0' ? VERSION_2 : VERSION_1;
      const client = new Client(webSocket, format, check);
      clients.add(client);
      webSocket.on('close', () => clients.delete(client));
    });
  };
  server.on('upgrade', upgrade);

  const broadcast = async (id: string, topic: string) => {
    const joined = [...clients].filter((client) => client.hasJoined(topic));
    if (joined.length === 0) return;
    const { rows } = await pool.query<Broadcast>(
      'select id, event, payload from realtime.messages where id = $1 and private',
      [id],
    );
    for (const row of rows) {
      for (const client of joined) client.broadcast(topic, row);
    }
  };
  // Clients reconnect, and then read the notifications that they have missed.
  const disconnect = () => {
    for (const webSocket of sockets.clients) webSocket.terminate();
  };
  let listener = await listen(databaseUrl, broadcast);
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepListening = async () => {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => listener.once('end', () => resolve()));
      disconnect();
      for (let next: pg.Client | null = null; next === null; ) {
        await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        next = await listen(databaseUrl, broadcast).catch(() => null);
        listener = next ?? listener;
      }
    }
  };
  const listening = keepListening();

  return {
    stop: async () => {
      stopping.abort();
      server.off('upgrade', upgrade);
      disconnect();
      await listener.end();
      await Promise.all([listening, pool.end()]);
    },
  };
}

/** A row of `realtime.messages`. */
interface Broadcast {
  readonly id: string;
  readonly event: string;
  readonly payload: unknown;
}

/** Listens for new rows of `realtime.messages`: the id of each and its topic. */
async function listen(
  url: string,
  onMessage: (id: string, topic: string) => Promise<void>,
): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  client.on('notification', ({ payload = '' }) => {
    const [id = '', topic = ''] = payload.split(/ (.*)/);
    onMessage(id, topic).catch(() => {});
  });
  await client.query('listen realtime_messages');
  return client;
}

function refuse(socket: Duplex, status: string, error: string): void {
  const body = JSON.stringify({ error });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
}

/** A connection with its channels. */
class Client {
  readonly #socket: WebSocket;
  readonly #format: WireFormat;
  readonly #check: AccessCheck;
  readonly #channels = new Map<string, Channel>();

  constructor(socket: WebSocket, format: WireFormat, check: AccessCheck) {
    this.#socket = socket;
    this.#format = format;
    this.#check = check;
    // In order of arrival: the check of a token comes after that of the join before it.
    let last = Promise.resolve();
    socket.on('message', (data, isBinary) => {
      if (isBinary) return;
      last = last.then(() => this.#receive(format.decode(data.toString()))).catch(() => socket.terminate());
    });
    socket.on('close', () => {
      for (const { expiry } of this.#channels.values()) clearTimeout(expiry);
      this.#channels.clear();
    });
    socket.on('error', () => {});
  }

  hasJoined(topic: string): boolean {
    return this.#channels.has(topic);
  }

  broadcast(topic: string, message: Broadcast): void {
    this.#socket.send(this.#format.encodeBroadcast(PREFIX + topic, message));
  }

  async #receive(message: Message): Promise<void> {
    const topic = message.topic.slice(PREFIX.length);
    if (message.topic === 'phoenix' && message.event === 'heartbeat') return this.#reply(message, 'ok', {});
    if (!message.topic.startsWith(PREFIX))
      return this.#reply(message, 'error', { reason: 'unmatched topic' });
    if (message.event === 'phx_join') return this.#join(topic, message);
    const channel = this.#channels.get(topic);
    if (channel === undefined) return;
    if (message.event === 'phx_leave') {
      this.#reply(message, 'ok', {});
      this.#close(topic, channel);
    }
    if (message.event === 'access_token') await this.#takeToken(topic, channel, message);
  }

  async #join(topic: string, message: Message): Promise<void> {
    const { config, access_token: token = '' } = Join.parse(message.payload);
    const earlier = this.#channels.get(topic);
    if (earlier !== undefined) this.#close(topic, earlier);
    try {
      if (!config?.private) throw new Refusal('PrivateOnly', 'This project only allows private channels');
      const claims = await this.#check(token, topic);
      if (this.#socket.readyState !== this.#socket.OPEN) return;
      const channel: Channel = { joinRef: message.joinRef, token, expiry: undefined };
      this.#channels.set(topic, channel);
      this.#expireAt(claims, topic, channel);
      this.#reply(message, 'ok', { postgres_changes: [] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#reply(message, 'error', { reason: `${error.code}: ${error.message}` });
    }
  }

  async #takeToken(topic: string, channel: Channel, message: Message): Promise<void> {
    const { access_token: token } = NewToken.parse(message.payload);
    if (token === null || token === channel.token || token.startsWith('sb_')) return;
    try {
      const claims = await this.#check(token, topic);
      // The client may have left in the meantime.
      if (this.#channels.get(topic) !== channel) return;
      channel.token = token;
      this.#expireAt(claims, topic, channel);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#shutDown(topic, channel, error.message);
    }
  }

  #expireAt({ exp = 0 }: JWTPayload, topic: string, channel: Channel): void {
    clearTimeout(channel.expiry);
    channel.expiry = setTimeout(
      () => this.#shutDown(topic, channel, 'Token has expired 0 seconds ago'),
      exp * 1000 - Date.now(),
    );
  }

  #shutDown(topic: string, channel: Channel, message: string): void {
    const payload = { extension: 'system', status: 'error', message, channel: topic };
    this.#send({ joinRef: channel.joinRef, ref: null, topic: PREFIX + topic, event: 'system', payload });
    this.#close(topic, channel);
  }

  #close(topic: string, { joinRef, expiry }: Channel): void {
    clearTimeout(expiry);
    this.#channels.delete(topic);
    this.#send({ joinRef, ref: joinRef, topic: PREFIX + topic, event: 'phx_close', payload: {} });
  }

  #reply({ joinRef, ref, topic }: Message, status: 'ok' | 'error', response: object): void {
    this.#send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } });
  }

  #send(message: Message): void {
    this.#socket.send(this.#format.encode(message));
  }
}

/** A refused join or token, with the code and text of Realtime. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws Refusal if the token is invalid or no policy grants access to the topic */
type AccessCheck = (token: string, topic: string) => Promise<JWTPayload>;

function accessCheck(pool: pg.Pool, keys: readonly JWK[]): AccessCheck {
  const keyOf = createLocalJWKSet({ keys: [...keys] });
  const verify = async (token: string): Promise<JWTPayload> => {
    // A channel without a token has the role of the publishable key.
    if (token === '' || token.startsWith('sb_')) return { role: 'anon' };
    try {
      return (await jwtVerify(token, keyOf, { requiredClaims: ['role', 'exp'] })).payload;
    } catch (error) {
      throw refusalOf(error);
    }
  };
  return async (token, topic) => {
    const claims = await verify(token);
    if (await mayRead(pool, claims, topic)) return claims;
    throw new Refusal(
      'Unauthorized',
      `You do not have permissions to read from this Channel topic: ${topic}`,
    );
  };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    const seconds = Math.floor(Date.now() / 1000 - Number(error.payload.exp));
    return new Refusal('InvalidJWTToken', `Token has expired ${seconds} seconds ago`);
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new Refusal('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT');
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return new Refusal('JwtSignatureError', 'Failed to validate JWT signature');
  }
  if (error instanceof errors.JOSEError) {
    return new Refusal('MalformedJWT', 'The token provided is not a valid JWT');
  }
  return error;
}

/** Inserts a message of the topic, reads it with these claims, and rolls back, like Realtime. */
async function mayRead(pool: pg.Pool, claims: JWTPayload, topic: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>(
      `insert into realtime.messages (topic, extension) values ($1, 'broadcast') returning id`,
      [topic],
    );
    await client.query(
      `select set_config('role', $1, true), set_config('realtime.topic', $2, true), set_config('request.jwt.claims', $3, true)`,
      [claims.role, topic, JSON.stringify(claims)],
    );
    const seen = await client.query('select from realtime.messages where id = $1', [rows[0]?.id]);
    return seen.rowCount === 1;
  } catch (error) {
    // A policy that raises an error grants no access.
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  } finally {
    await client.query('rollback').finally(() => client.release());
  }
}

/** A wire format of messages. */
interface WireFormat {
  decode(text: string): Message;
  encode(message: Message): string;
  encodeBroadcast(topic: string, message: Broadcast): string | Buffer;
}

const Fields = z.object({
  join_ref: z.string().nullish(),
  ref: z.string().nullish(),
  topic: z.string(),
  event: z.string(),
  payload: z.unknown(),
});

const VERSION_1: WireFormat = {
  decode: (text) => {
    const { join_ref: joinRef = null, ref = null, ...rest } = Fields.parse(JSON.parse(text));
    return { ...rest, joinRef, ref };
  },
  encode: ({ ref, topic, event, payload }) => JSON.stringify({ topic, event, payload, ref }),
  encodeBroadcast: (topic, { id, event, payload }) =>
    JSON.stringify({
      topic,
      event: 'broadcast',
      payload: { event, payload, type: 'broadcast', meta: { id } },
      ref: null,
    }),
};

const Tuple = z.tuple([z.string().nullable(), z.string().nullable(), z.string(), z.string(), z.unknown()]);

const VERSION_2: WireFormat = {
  decode: (text) => {
    const [joinRef, ref, topic, event, payload] = Tuple.parse(JSON.parse(text));
    return { joinRef, ref, topic, event, payload };
  },
  encode: ({ joinRef, ref, topic, event, payload }) => JSON.stringify([joinRef, ref, topic, event, payload]),
  encodeBroadcast: (topic, { id, event, payload }) => {
    const USER_BROADCAST = 4;
    const JSON_PAYLOAD = 1;
    const parts = [topic, event, JSON.stringify({ id })].map((part) => Buffer.from(part));
    const sizes = parts.map(({ length }) => length);
    return Buffer.concat([
      Buffer.from([USER_BROADCAST, ...sizes, JSON_PAYLOAD]),
      ...parts,
      Buffer.from(JSON.stringify(payload)),
    ]);
  },
};
