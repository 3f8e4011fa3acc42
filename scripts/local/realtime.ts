import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JWK, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';

/** What a local Realtime needs to know. */
export interface RealtimeOptions {
  /** The HTTP server on which it answers WebSockets at `/realtime/v1/websocket`. */
  readonly server: Server;
  /** Connection URL of a role that may insert into `realtime.messages` past its policies, and may become `authenticated`. */
  readonly databaseUrl: string;
  /** The key that clients show as `apikey`. */
  readonly publishableKey: string;
  /** The public keys of access tokens. */
  readonly keys: readonly JWK[];
}

/** A local Realtime that runs. */
export interface RunningRealtime {
  /** Closes every connection. */
  stop(): Promise<void>;
}

const PATH = '/realtime/v1/websocket';
const RECONNECT_MS = 500;
const PREFIX = 'realtime:';

/** A message of Phoenix, in either version of its wire format. */
interface Message {
  readonly joinRef: string | null;
  readonly ref: string | null;
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** A channel that a client has joined. */
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
 * Starts a stand-in for Supabase Realtime, for private channels that the database broadcasts on: Phoenix channels in the wire formats
 * 1.0.0 and 2.0.0, with the replies and errors of Realtime 2. It asks the policies of `realtime.messages` as Realtime does.
 * It takes no broadcasts of clients, no presence and no subscriptions to tables.
 */
export async function startRealtime(options: RealtimeOptions): Promise<RunningRealtime> {
  if (process.env.NODE_ENV === 'production')
    throw new Error('The local Realtime does not run in production.');
  const { server, databaseUrl, publishableKey, keys } = options;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => {});
  const sockets = new WebSocketServer({ noServer: true });
  const clients = new Set<Client>();
  const access = new Access(pool, createLocalJWKSet({ keys: [...keys] }));

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    if (url === null) return refuse(socket, '400 Bad Request', 'Bad request');
    const { pathname, searchParams } = url;
    if (pathname !== PATH) return refuse(socket, '404 Not Found', 'Not found');
    if (searchParams.get('apikey') !== publishableKey)
      return refuse(socket, '401 Unauthorized', 'API key is missing');
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const format = searchParams.get('vsn') === '2.0.0' ? VERSION_2 : VERSION_1;
      const client = new Client(webSocket, format, access);
      clients.add(client);
      webSocket.on('close', () => clients.delete(client));
    });
  };
  server.on('upgrade', upgrade);

  const announce = (id: string, topic: string) => {
    const joined = [...clients].filter((client) => client.hasJoined(topic));
    if (joined.length > 0) sendTo(joined, id, topic).catch(() => {});
  };
  const sendTo = async (joined: readonly Client[], id: string, topic: string) => {
    const { rows } = await pool.query<Broadcast>(
      'select id, event, payload from realtime.messages where id = $1 and private',
      [id],
    );
    for (const row of rows) {
      for (const client of joined) client.broadcast(topic, row);
    }
  };
  // Clients reconnect, and read meanwhile what they have missed.
  const disconnect = () => {
    for (const webSocket of sockets.clients) webSocket.terminate();
  };
  let listener = await listen(databaseUrl, announce);
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepListening = async () => {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => listener.once('end', () => resolve()));
      disconnect();
      for (let isBack = false; !isBack && !signal.aborted; ) {
        await pause(RECONNECT_MS, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        isBack = await listen(databaseUrl, announce).then(
          (next) => {
            listener = next;
            return true;
          },
          () => false,
        );
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

/** Listens to what `realtime.send` announces: the id of each message and its topic. */
async function listen(url: string, onMessage: (id: string, topic: string) => void): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  client.on('notification', ({ payload = '' }) => {
    const [id = '', topic = ''] = payload.split(/ (.*)/);
    onMessage(id, topic);
  });
  await client.query('listen realtime_messages');
  return client;
}

function refuse(socket: Duplex, status: string, error: string): void {
  const body = JSON.stringify({ error });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
}

/** One connection with its channels. */
class Client {
  readonly #socket: WebSocket;
  readonly #format: WireFormat;
  readonly #access: Access;
  readonly #channels = new Map<string, Channel>();

  constructor(socket: WebSocket, format: WireFormat, access: Access) {
    this.#socket = socket;
    this.#format = format;
    this.#access = access;
    // Messages of a client are answered one after the other: a token that follows a join is checked behind it.
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
      const claims = await this.#access.check(token, topic);
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
      const claims = await this.#access.check(token, topic);
      // Meanwhile the client may have left.
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

/** Why a client may not listen, with the code and the text that Realtime gives. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Decides who may listen. */
class Access {
  readonly #pool: pg.Pool;
  readonly #keyOf: JWTVerifyGetKey;

  constructor(pool: pg.Pool, keyOf: JWTVerifyGetKey) {
    this.#pool = pool;
    this.#keyOf = keyOf;
  }

  /**
   * Returns the claims of a token that may listen to a topic.
   * @throws Refusal if it is not valid, or if no policy lets it
   */
  async check(token: string, topic: string): Promise<JWTPayload> {
    const claims = await this.#verify(token);
    if (await this.#mayRead(claims, topic)) return claims;
    throw new Refusal(
      'Unauthorized',
      `You do not have permissions to read from this Channel topic: ${topic}`,
    );
  }

  async #verify(token: string): Promise<JWTPayload> {
    // Without a token of its own a channel has that of the publishable key.
    if (token === '' || token.startsWith('sb_')) return { role: 'anon' };
    try {
      return (await jwtVerify(token, this.#keyOf, { requiredClaims: ['role', 'exp'] })).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) {
        const seconds = Math.floor(Date.now() / 1000 - Number(error.payload.exp));
        throw new Refusal('InvalidJWTToken', `Token has expired ${seconds} seconds ago`);
      }
      if (error instanceof errors.JWTClaimValidationFailed) {
        throw new Refusal('InvalidJWTToken', 'Fields `role` and `exp` are required in JWT');
      }
      if (
        error instanceof errors.JWSSignatureVerificationFailed ||
        error instanceof errors.JWKSNoMatchingKey
      ) {
        throw new Refusal('JwtSignatureError', 'Failed to validate JWT signature');
      }
      if (error instanceof errors.JOSEError) {
        throw new Refusal('MalformedJWT', 'The token provided is not a valid JWT');
      }
      throw error;
    }
  }

  /** As Realtime asks: whether somebody with these claims sees a message that was just sent on the topic. Nothing stays of it. */
  async #mayRead({ role, ...claims }: JWTPayload & { role?: unknown }, topic: string): Promise<boolean> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ id: string }>(
        `insert into realtime.messages (topic, extension) values ($1, 'broadcast') returning id`,
        [topic],
      );
      await client.query(
        `select set_config('role', $1, true), set_config('realtime.topic', $2, true), set_config('request.jwt.claims', $3, true)`,
        [role, topic, JSON.stringify({ role, ...claims })],
      );
      const seen = await client.query('select from realtime.messages where id = $1', [rows[0]?.id]);
      return seen.rowCount === 1;
    } catch (error) {
      // A policy that raises an error lets nobody in.
      if (error instanceof pg.DatabaseError) return false;
      throw error;
    } finally {
      await client.query('rollback').finally(() => client.release());
    }
  }
}

/** How messages are written. */
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
