import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import type { JWTPayload } from 'jose';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimsOf, signed } from '../support/forgeries.ts';
import { follow } from '../support/graph.ts';
import { anOpine, WITH_WORKER } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { startTestRealtime, type TestRealtime } from '../support/realtime.ts';
import { logOut } from '../support/sign-in.ts';
import { eventually } from '../support/streams.ts';

/** A channel of supabase-js with its states and messages, oldest first. */
interface Subscription {
  readonly client: SupabaseClient;
  readonly channel: RealtimeChannel;
  readonly states: string[];
  readonly messages: { type: string; event: string; payload?: unknown }[];
}

/** Joins the private channel of a person, with an access token or as a guest. */
async function join(
  { options: { url, publishableKey } }: TestRealtime,
  { id }: Pick<Person, 'id'>,
  { token, vsn = '2.0.0', isPrivate = true }: { token?: string; vsn?: string; isPrivate?: boolean },
): Promise<Subscription> {
  const client = createClient(url, publishableKey, { realtime: { vsn } });
  if (token !== undefined) await client.realtime.setAuth(token);
  const states: string[] = [];
  const messages: Subscription['messages'] = [];
  const channel = client
    .channel(`user:${id}`, { config: { private: isPrivate } })
    .on('broadcast', { event: '*' }, (message) => messages.push(message))
    .on('system', {}, ({ message }) => states.push(message))
    .subscribe((state, error) => states.push(error?.message ?? state));
  onTestFinished(async () => {
    await client.removeAllChannels();
  });
  return { client, channel, states, messages };
}

/** Returns an access token of a person with changed claims. */
const tokenWith = ({ session }: Person, changes: JWTPayload): Promise<string> =>
  signed({ ...claimsOf(session.accessToken), ...changes });

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe.each(['1.0.0', '2.0.0'])('supabase-js with wire format %s', (vsn) => {
  // docs/product.md I3
  test('receives broadcasts on the own channel', async () => {
    const opine = await anOpine(WITH_WORKER);
    const realtime = await startTestRealtime(opine);
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const subscription = await join(realtime, maya, { vsn, token: maya.session.accessToken });
    await eventually(() => subscription.states).toEqual(['SUBSCRIBED']);
    await follow(jonas, maya);
    await eventually(() => subscription.messages).toEqual([
      {
        type: 'broadcast',
        event: 'notification',
        payload: expect.objectContaining({ type: 'user_followed', actorId: jonas.id }),
        meta: { id: expect.any(String) },
      },
    ]);
  });

  test('gets an error and no messages when it joins the channel of another person', async () => {
    const opine = await anOpine(WITH_WORKER);
    const realtime = await startTestRealtime(opine);
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const refused = await join(realtime, maya, { vsn, token: jonas.session.accessToken });
    await eventually(() => refused.states[0]).toBe(
      `Unauthorized: You do not have permissions to read from this Channel topic: user:${maya.id}`,
    );
    const own = await join(realtime, maya, { vsn, token: maya.session.accessToken });
    await eventually(() => own.states).toEqual(['SUBSCRIBED']);
    await follow(jonas, maya);
    await eventually(() => own.messages).toHaveLength(1);
    expect(refused.messages).toEqual([]);
  });
});

test.each<{
  join: string;
  token: (maya: Person) => Promise<string> | undefined;
  isPrivate?: boolean;
  reason: string;
}>([
  { join: 'by a guest', token: () => undefined, reason: 'Unauthorized: You do not have permissions' },
  { join: 'with a malformed token', token: async () => 'nonsense', reason: 'MalformedJWT: ' },
  {
    join: 'with an expired token',
    token: (maya) => tokenWith(maya, { exp: inSeconds(-60) }),
    reason: 'InvalidJWTToken: Token has expired 6',
  },
  {
    join: 'of a public channel',
    token: async (maya) => maya.session.accessToken,
    isPrivate: false,
    reason: 'PrivateOnly: This project only allows private channels',
  },
])('Realtime refuses a join $join', async ({ token, isPrivate = true, reason }) => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const maya = await registeredPerson(opine);
  const accessToken = await token(maya);
  const options = { isPrivate, ...(accessToken !== undefined && { token: accessToken }) };
  const { states } = await join(realtime, maya, options);
  await eventually(() => states[0]).toContain(reason);
});

test('clients of Realtime are disconnected when it loses the database, and receive messages after a reconnect', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const maya = await registeredPerson(opine);
  const subscription = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => subscription.states).toEqual(['SUBSCRIBED']);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen realtime_messages'`.execute(
    opine.database.superuser,
  );
  await eventually(() => subscription.states.length).toBeGreaterThan(1);
  const again = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => again.states).toEqual(['SUBSCRIBED']);
  await eventually(async () => {
    await follow(await registeredPerson(opine), maya);
    return again.messages.length;
  }).toBeGreaterThan(0);
});

test('a WebSocket upgrade with an invalid URL gets 400, and valid ones still connect', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const socket = connect(Number(new URL(realtime.options.url).port), '127.0.0.1');
  socket.write('GET // HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  const maya = await registeredPerson(opine);
  const subscription = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => subscription.states).toEqual(['SUBSCRIBED']);
});

test('a Realtime channel closes when its token expires, unless the client has sent a newer token', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  const token = await tokenWith(maya, { exp: inSeconds(6) });
  const stays = await join(realtime, maya, { token });
  const closes = await join(realtime, maya, { token });
  await eventually(() => [...closes.states, ...stays.states]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  await stays.client.realtime.setAuth(maya.session.accessToken);
  await eventually(() => closes.states).toEqual(['SUBSCRIBED', 'Token has expired 0 seconds ago', 'CLOSED']);
  await follow(jonas, maya);
  await eventually(() => stays.messages.length).toBe(1);
  expect(stays.states).toEqual(['SUBSCRIBED']);
});

test('a Realtime channel closes when the client sends a token of an ended session', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const maya = await registeredPerson(opine);
  const { client, states } = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => states).toEqual(['SUBSCRIBED']);
  const next = await tokenWith(maya, { exp: inSeconds(600) });
  await logOut(opine, maya.session);
  await client.realtime.setAuth(next);
  await eventually(() => states).toEqual([
    'SUBSCRIBED',
    `You do not have permissions to read from this Channel topic: user:${maya.id}`,
    'CLOSED',
  ]);
});

test('a Realtime connection with a wrong API key gets 401', async () => {
  const { options } = await startTestRealtime(await anOpine(WITH_WORKER));
  const handshake = request(`${options.url}/realtime/v1/websocket?apikey=sb_publishable_of_others`, {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
  });
  const [response] = await once(handshake.end(), 'response');
  expect(response.statusCode).toBe(401);
});

test('a malformed message closes its Realtime connection and no other', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const maya = await registeredPerson(opine);
  const other = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => other.states).toEqual(['SUBSCRIBED']);
  const { url, publishableKey } = realtime.options;
  const socket = new WebSocket(`${url}/realtime/v1/websocket?apikey=${publishableKey}`);
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  socket.addEventListener('open', () => socket.send('[not a message'));
  await closed;
  expect(other.states).toEqual(['SUBSCRIBED']);
});
