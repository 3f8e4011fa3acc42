// docs/product.md R7
import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findClientAddress } from '../../src/http/client.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aGuest, newPhoneNumber } from '../support/people.ts';

const CLIENT = '203.0.113.9';
const PROXY = '198.51.100.7';

const addressOf = (peer: string | undefined, forwardedFor?: string, proxies = 0, limitsLoopback = false) =>
  findClientAddress({ peer, forwardedFor }, proxies, limitsLoopback);

// docs/product.md W27
describe('findClientAddress', () => {
  test.each<[string, Parameters<typeof addressOf>, string | null]>([
    ['the peer of a direct connection', [CLIENT], CLIENT],
    ['the peer without a proxy, whatever X-Forwarded-For says', [CLIENT, '192.0.2.1, 192.0.2.2'], CLIENT],
    ['the last forwarded address behind one proxy', [PROXY, `192.0.2.1, ${CLIENT}`, 1], CLIENT],
    [
      'the second last forwarded address behind two proxies',
      [PROXY, `192.0.2.1, ${CLIENT}, 192.0.2.2`, 2],
      CLIENT,
    ],
    ['the first forwarded address if there are fewer proxies than configured', [PROXY, CLIENT, 5], CLIENT],
    ['the peer if the proxy forwards no address', [CLIENT, undefined, 1], CLIENT],
    ['the last forwarded address if the peer is unknown', [undefined, `192.0.2.1, ${CLIENT}`], CLIENT],
    ['a forwarded address without its port', [PROXY, `${CLIENT}:4711`, 1], CLIENT],
    ['the IPv4 address of an IPv4-mapped IPv6 address', [`::ffff:${CLIENT}`], CLIENT],
    ['the /64 prefix of an IPv6 address', ['2001:db8:1:2:3:4:5:6'], '2001:db8:1:2'],
    [
      'the /64 prefix of an IPv6 address with brackets and a port',
      [PROXY, '[2001:db8:1:2::9]:443', 1],
      '2001:db8:1:2',
    ],
    ['null without a peer and a forwarded address', [undefined], null],
    ['null for IPv4 loopback', ['127.0.0.1'], null],
    ['null for IPv6 loopback', ['::1'], null],
    ['the loopback address in production', ['127.0.0.1', undefined, 0, true], '127.0.0.1'],
    ['"unknown" for a forwarded text that is not an address', [PROXY, 'somewhere', 1], 'unknown'],
    ['"unknown" for a closed connection', ['gone', CLIENT], 'unknown'],
  ])('findClientAddress returns %s', (_, given, expected) => {
    expect(addressOf(...given)).toBe(expected);
  });
});

/** Requests a one-time code with a forged X-Forwarded-For, and resets the connection before the response. */
async function hangUp(opine: Opine, address: string): Promise<void> {
  const body = JSON.stringify({ phoneNumber: newPhoneNumber() });
  const socket = net.connect(Number(new URL(opine.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'POST /api/v1/auth/otp/request HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `x-forwarded-for: ${address}`,
  ].join('\r\n');
  socket.write(`${head}\r\n\r\n${body}`, () => socket.resetAndDestroy());
  await once(socket, 'close');
}

// docs/product.md W27
test('a client that disconnects early cannot forge its address', async () => {
  const opine = await anOpine();
  await Promise.all(Array.from({ length: 40 }, (_, n) => hangUp(opine, `203.0.113.${n}`)));
  const counted = async () => {
    const { rows } = await sql<{ subject: string }>`select distinct subject from app.rate_limits`.execute(
      opine.database.superuser,
    );
    return rows.length;
  };
  expect((await aGuest(opine).get('/posts')).status).toBe(200);
  // Loopback requests are not counted; all requests of closed connections count as one address.
  expect(await counted()).toBeLessThanOrEqual(1);
});
