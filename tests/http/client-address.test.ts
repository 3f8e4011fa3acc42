import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { clientAddressOf } from '../../src/http/client-address.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aGuest, aPhone } from '../support/people.ts';

const SOMEBODY = '203.0.113.9';
const PROXY = '198.51.100.7';

const addressOf = (peer: string | undefined, forwardedFor?: string, proxies = 0, limitsLoopback = false) =>
  clientAddressOf({ peer, forwardedFor }, proxies, limitsLoopback);

describe('a client counts by', () => {
  test.each<[string, Parameters<typeof addressOf>, string | null]>([
    ['the peer', [SOMEBODY], SOMEBODY],
    ['the peer, whatever it says of itself', [SOMEBODY, '192.0.2.1, 192.0.2.2'], SOMEBODY],
    ['what its proxy saw', [PROXY, `192.0.2.1, ${SOMEBODY}`, 1], SOMEBODY],
    ['what the outer of two proxies saw', [PROXY, `192.0.2.1, ${SOMEBODY}, 192.0.2.2`, 2], SOMEBODY],
    ['the first that is told where a proxy is missing', [PROXY, SOMEBODY, 5], SOMEBODY],
    ['the peer where its proxy says nothing', [SOMEBODY, undefined, 1], SOMEBODY],
    ['what the last proxy saw where nobody tells the peer', [undefined, `192.0.2.1, ${SOMEBODY}`], SOMEBODY],
    ['an address without its port', [PROXY, `${SOMEBODY}:4711`, 1], SOMEBODY],
    ['its IPv4 address in IPv6', [`::ffff:${SOMEBODY}`], SOMEBODY],
    ['the first half of IPv6', ['2001:db8:1:2:3:4:5:6'], '2001:db8:1:2'],
    ['the first half of IPv6, with brackets and a port', [PROXY, '[2001:db8:1:2::9]:443', 1], '2001:db8:1:2'],
    ['nothing where nothing is told', [undefined], null],
    ['nothing on this machine', ['127.0.0.1'], null],
    ['nothing on this machine, in IPv6', ['::1'], null],
    ['this machine in production', ['127.0.0.1', undefined, 0, true], '127.0.0.1'],
    ['one name for all that is no address', [PROXY, 'somewhere', 1], 'unknown'],
    ['the same name for a connection that is gone', ['gone', SOMEBODY], 'unknown'],
  ])('%s', (_, given, expected) => {
    expect(addressOf(...given)).toBe(expected);
  });
});

/** Somebody asks for a code, says where from, and hangs up before the answer, or before the body is there. */
async function hangUp(opine: Opine, address: string): Promise<void> {
  const body = JSON.stringify({ phoneNumber: aPhone() });
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

test('nobody chooses an address by hanging up', async () => {
  const opine = await anOpine();
  await Promise.all(Array.from({ length: 40 }, (_, n) => hangUp(opine, `203.0.113.${n}`)));
  const counted = async () => {
    const { rows } = await sql<{ subject: string }>`select distinct subject from app.rate_limits`.execute(
      opine.database.superuser,
    );
    return rows.length;
  };
  expect((await aGuest(opine).get('/posts')).status).toBe(200);
  // The requests come from this machine, which does not count; those whose connection was gone count as one.
  expect(await counted()).toBeLessThanOrEqual(1);
});
