import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, NONEXISTENT, type Reply } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo } from '../support/discussions.ts';
import { aHub, aHubPost } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, hubReadyPerson } from '../support/people.ts';
import { aRepost, aSlider } from '../support/posts.ts';

let opine: Opine;
let circle: HubOfTwo;
let post: Json;
let locked: Json;

beforeAll(async () => {
  opine = await startOpine();
  circle = await aHubOfTwo(opine);
  post = await aSlider(circle.amara);
  locked = await aHubPost(circle.amara, [circle.hub]);
});

afterAll(() => opine.stop());

/** Paths that answer cards: to everybody, to members (`MEMBERS`), to their owner (`OWN`). */
const OPEN = [
  '/posts',
  '/posts?sort=trending',
  '/posts/{postId}',
  '/posts/{postId}/frames',
  '/users/{userId}/feed',
];
const MEMBERS = ['/posts?hubId={hubId}', '/posts?hubId={hubId}&sort=trending', '/hubs/{hubId}/feed'];
const OWN = ['/users/me/saved-posts'];

const at = (path: string, { id: postId }: Json = post, { id: hubId }: Json = circle.hub) =>
  path.replace('{postId}', postId).replace('{hubId}', hubId).replace('{userId}', circle.amara.id);

function expectUncached({ headers }: Reply): void {
  expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
  expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
}

describe('cache headers of cards', () => {
  test.each([...OPEN, ...MEMBERS, ...OWN])('GET %s forbids caching to members', async (path) => {
    for (const member of [circle.amara, circle.jonas]) {
      const reply = await member.get(at(path));
      expect(reply.status).toBe(200);
      expectUncached(reply);
    }
  });

  test.each(OPEN)('GET %s forbids caching to guests and invalid bearers', async (path) => {
    for (const viewer of [
      aGuest(opine),
      clientOf(opine.url, 'no.good.token'),
      await anonymousPerson(opine),
    ]) {
      const reply = await viewer.get(at(path));
      expect(reply.status).toBe(200);
      expectUncached(reply);
    }
  });

  test('publications, reposts and their replays forbid caching', async () => {
    const { hub, amara } = circle;
    const body = { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds: [hub.id] };
    for (const path of ['/posts', `/posts/${post.id}/reposts`]) {
      for (const replayed of [null, 'true']) {
        const reply = await amara.post(path, body, { headers: { 'idempotency-key': `a${path}` } });
        expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([201, replayed]);
        expectUncached(reply);
      }
    }
  });
});

describe('cache headers of refused cards', () => {
  test.each([
    ['/posts/{postId}', 404],
    ['/posts/{postId}/frames', 404],
    ['/posts?hubId={hubId}', 403],
    ['/hubs/{hubId}/feed', 403],
  ])('GET %s forbids caching for a non-member', async (path, status) => {
    const repost = await aRepost(circle.amara, post, {
      visibility: 'private_locked_hub',
      hubIds: [circle.hub.id, (await aHub(circle.amara)).id],
    });
    const nonMember: Client = await hubReadyPerson(opine);
    for (const hidden of [locked, repost, NONEXISTENT]) {
      const reply = await nonMember.get(at(path, hidden));
      expect(reply.status).toBe(status);
      expectUncached(reply);
    }
  });

  test.each([...OWN, '/hubs/{hubId}/feed'])(
    'GET %s forbids caching when it refuses a guest',
    async (path) => {
      const reply = await aGuest(opine).get(at(path));
      expect(reply.status).toBe(401);
      expectUncached(reply);
    },
  );

  test.each([...OPEN.filter((path) => path !== '/posts/{postId}'), ...MEMBERS, ...OWN])(
    'GET %s forbids caching when it refuses an invalid limit',
    async (path) => {
      const reply = await circle.amara.get(`${at(path)}${path.includes('?') ? '&' : '?'}limit=0`);
      expect(reply.status).toBe(422);
      expectUncached(reply);
    },
  );
});
