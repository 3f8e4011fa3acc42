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
import { anOpine } from '../support/opine.ts';
import { aRegistered, type Person } from '../support/people.ts';
import { startTestRealtime, type TestRealtime } from '../support/realtime.ts';
import { logOut } from '../support/sign-in.ts';
import { eventually } from '../support/streams.ts';

/** What a client of supabase-js received on a channel, oldest first: how the channel is, and its messages. */
interface Heard {
  readonly client: SupabaseClient;
  readonly channel: RealtimeChannel;
  readonly states: string[];
  readonly messages: { type: string; event: string; payload?: unknown }[];
}

/** Joins the private channel of `person` with an access token, or as a guest. */
async function join(
  { options: { url, publishableKey } }: TestRealtime,
  { id }: Pick<Person, 'id'>,
  { token, vsn = '2.0.0', isPrivate = true }: { token?: string; vsn?: string; isPrivate?: boolean },
): Promise<Heard> {
  const client = createClient(url, publishableKey, { realtime: { vsn } });
  if (token !== undefined) await client.realtime.setAuth(token);
  const states: string[] = [];
  const messages: Heard['messages'] = [];
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

/** The access token of `person` with other claims. */
const tokenWith = ({ session }: Person, changes: JWTPayload): Promise<string> =>
  signed({ ...claimsOf(session.accessToken), ...changes });

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe.each(['1.0.0', '2.0.0'])('supabase-js by wire format %s', (vsn) => {
  test('receives what is broadcast on the own channel', async () => {
    const opine = await anOpine();
    const realtime = await startTestRealtime(opine);
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const heard = await join(realtime, maya, { vsn, token: maya.session.accessToken });
    await eventually(() => heard.states).toEqual(['SUBSCRIBED']);
    await follow(jonas, maya);
    await eventually(() => heard.messages).toEqual([
      {
        type: 'broadcast',
        event: 'notification',
        payload: expect.objectContaining({ type: 'user_followed', actorId: jonas.id }),
        meta: { id: expect.any(String) },
      },
    ]);
  });

  test('is told why it may not join the channel of another person', async () => {
    const opine = await anOpine();
    const realtime = await startTestRealtime(opine);
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const refused = await join(realtime, maya, { vsn, token: jonas.session.accessToken });
    await eventually(() => refused.states[0]).toBe(
      `Unauthorized: You do not have permissions to read from this Channel topic: user:${maya.id}`,
    );
    const hers = await join(realtime, maya, { vsn, token: maya.session.accessToken });
    await eventually(() => hers.states).toEqual(['SUBSCRIBED']);
    await follow(jonas, maya);
    await eventually(() => hers.messages).toHaveLength(1);
    expect(refused.messages).toEqual([]);
  });
});

test.each<{
  who: string;
  token: (maya: Person) => Promise<string> | undefined;
  isPrivate?: boolean;
  reason: string;
}>([
  { who: 'a guest', token: () => undefined, reason: 'Unauthorized: You do not have permissions' },
  { who: 'nonsense', token: async () => 'nonsense', reason: 'MalformedJWT: ' },
  {
    who: 'an expired token',
    token: (maya) => tokenWith(maya, { exp: inSeconds(-60) }),
    reason: 'InvalidJWTToken: Token has expired 6',
  },
  {
    who: 'a public channel',
    token: async (maya) => maya.session.accessToken,
    isPrivate: false,
    reason: 'PrivateOnly: This project only allows private channels',
  },
])('a join by $who is refused', async ({ token, isPrivate = true, reason }) => {
  const opine = await anOpine();
  const realtime = await startTestRealtime(opine);
  const maya = await aRegistered(opine);
  const given = await token(maya);
  const { states } = await join(realtime, maya, { isPrivate, ...(given !== undefined && { token: given }) });
  await eventually(() => states[0]).toContain(reason);
});

test('clients lose their connections with the one that listens to the database, and hear again by new ones', async () => {
  const opine = await anOpine();
  const realtime = await startTestRealtime(opine);
  const maya = await aRegistered(opine);
  const heard = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => heard.states).toEqual(['SUBSCRIBED']);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen realtime_messages'`.execute(
    opine.database.superuser,
  );
  await eventually(() => heard.states.length).toBeGreaterThan(1);
  const again = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => again.states).toEqual(['SUBSCRIBED']);
  await eventually(async () => {
    await follow(await aRegistered(opine), maya);
    return again.messages.length;
  }).toBeGreaterThan(0);
});

test('a URL that is none is refused, and the others are served', async () => {
  const opine = await anOpine();
  const realtime = await startTestRealtime(opine);
  const socket = connect(Number(new URL(realtime.options.url).port), '127.0.0.1');
  socket.write('GET // HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  const maya = await aRegistered(opine);
  const heard = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => heard.states).toEqual(['SUBSCRIBED']);
});

test('a channel closes when its token expires, unless a newer token came', async () => {
  const opine = await anOpine();
  const realtime = await startTestRealtime(opine);
  const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
  const token = await tokenWith(maya, { exp: inSeconds(3) });
  const stays = await join(realtime, maya, { token });
  const closes = await join(realtime, maya, { token });
  await eventually(() => [...closes.states, ...stays.states]).toEqual(['SUBSCRIBED', 'SUBSCRIBED']);
  await stays.client.realtime.setAuth(maya.session.accessToken);
  await eventually(() => closes.states).toEqual(['SUBSCRIBED', 'Token has expired 0 seconds ago', 'CLOSED']);
  await follow(jonas, maya);
  await eventually(() => stays.messages.length).toBe(1);
  expect(stays.states).toEqual(['SUBSCRIBED']);
});

test('a channel closes when a newer token is of a session that is over', async () => {
  const opine = await anOpine();
  const realtime = await startTestRealtime(opine);
  const maya = await aRegistered(opine);
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

test('a connection with another key is refused', async () => {
  const { options } = await startTestRealtime(await anOpine());
  const handshake = request(`${options.url}/realtime/v1/websocket?apikey=sb_publishable_of_others`, {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
  });
  const [answer] = await once(handshake.end(), 'response');
  expect(answer.statusCode).toBe(401);
});

test('a message that is no message of Phoenix ends its connection and no other', async () => {
  const opine = await anOpine();
  const realtime = await startTestRealtime(opine);
  const maya = await aRegistered(opine);
  const other = await join(realtime, maya, { token: maya.session.accessToken });
  await eventually(() => other.states).toEqual(['SUBSCRIBED']);
  const { url, publishableKey } = realtime.options;
  const socket = new WebSocket(`${url}/realtime/v1/websocket?apikey=${publishableKey}`);
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  socket.addEventListener('open', () => socket.send('[not a message'));
  await closed;
  expect(other.states).toEqual(['SUBSCRIBED']);
});
