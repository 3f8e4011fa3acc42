import { createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import { startServer } from '../../src/server.ts';
import { type Client, clientOf, expectOk, idsOf, type Reply, refusal } from '../support/client.ts';
import { block, requestBlock } from '../support/graph.ts';
import { aHub, aMemberOf } from '../support/hubs.ts';
import { scrape, WITH_METRICS } from '../support/metrics.ts';
import { HASH_SECRET, testEnvironment } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  signedInAfter,
} from '../support/people.ts';
import { aSlider, aThought, requestSavePost, savedPosts } from '../support/posts.ts';
import {
  clientAt,
  type ReplicatedOpine,
  startReplicatedOpine,
  whilePaused,
  write,
} from '../support/replicas.ts';
import { anotherServer, logOut } from '../support/sign-in.ts';
import { castVote, countsOf } from '../support/votes.ts';

/** Longer than a replica may be behind, and than a write waits for one that lacks it. */
const FENCED = { timeout: 60_000, interval: 20 };

let opine: ReplicatedOpine;

beforeAll(async () => {
  opine = await startReplicatedOpine(2, { WEB_APP: 'true' });
  await vi.waitUntil(async () => {
    await aGuest(opine).get('/posts');
    return (await opine.reads('answered')) > 0;
  }, FENCED);
});

afterAll(() => opine?.stop());

/** Waits until every replica answers again. */
async function allAnswer(): Promise<void> {
  for (const { url } of opine.replicas) {
    const server = await startServer({
      ...testEnvironment(opine.database),
      ...WITH_METRICS,
      DATABASE_REPLICA_URLS: url,
    });
    onTestFinished(() => server.stop());
    const answered = async () => {
      await expectOk(clientOf(server.url).get('/posts'));
      return (await scrape(server)).value('opine_replica_reads_total', { outcome: 'answered' }) ?? 0;
    };
    await expect.poll(answered).toBeGreaterThan(0);
  }
}

/** Returns how often replicas answered during `use`. */
async function answeredDuring(use: () => Promise<unknown>): Promise<number> {
  const before = await opine.reads('answered');
  await use();
  return (await opine.reads('answered')) - before;
}

/** Waits until a replica answers `use`: one that was slow answers nothing for a while. */
async function expectReplicaAnswers(use: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => answeredDuring(use), FENCED).toBe(1);
}

const WRITE_TO_COME = '99999999';

/** Returns the header of a write that was answered `age` milliseconds ago. */
function sealed(transactionId: string, age: number): Record<string, string> {
  const { sealTransactionId } = createSecrets(HASH_SECRET);
  return { 'x-opine-position': sealTransactionId(`${transactionId} ${Date.now() - age}`) };
}

describe('who reads a replica', () => {
  test('a replica answers a guest', async () => {
    await expectReplicaAnswers(() => expectOk(aGuest(opine).get('/posts')));
  });

  test('a replica answers a member who sends a position', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await write(maya);
    await expectReplicaAnswers(() => expectOk(maya.get('/posts')));
  });

  test('a replica answers who opens the link of a post', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const post = await aSlider(maya, { sliderText: 'Benches?' });
    await write(maya);
    let page = '';
    const open = async () => {
      page = await (await fetch(`${opine.url}/posts/${post.id}`)).text();
    };
    await expectReplicaAnswers(open);
    expect(page).toContain('<title>Benches? · Opine</title>');
  });

  test.each([
    ['no position', {}],
    ['a position that is not ours', { 'x-opine-position': 'AAAA' }],
  ])('the primary answers a member with %s', async (_, headers) => {
    const maya = await confirmedPerson(opine, 'Maya');
    const get = () => expectOk(clientAt(opine.url, maya).get('/posts', { headers }));
    expect(await answeredDuring(get)).toBe(0);
  });

  test.each(['/notifications', '/search/users?q=amara', '/search/posts?q=trams', '/users/me/export'])(
    'the primary answers a member who reads %s',
    async (path) => {
      const maya = await confirmedPerson(opine, 'Maya');
      await write(maya);
      expect(await answeredDuring(() => expectOk(maya.get(path)))).toBe(0);
    },
  );

  test('reads at the same time spread over the replicas', async () => {
    // Each waits until it is clear that the replica lacks the write.
    const read = () => aGuest(opine).get('/posts', { headers: sealed(WRITE_TO_COME, 0) });
    const connections = async () => {
      const counts = opine.replicas.map(({ superuser }) =>
        sql<{ count: number }>`
          select count(*)::integer as count from pg_stat_activity where application_name = 'opine-replica'
        `.execute(superuser),
      );
      return (await Promise.all(counts)).map(({ rows }) => rows[0]?.count ?? 0);
    };
    // The circuit of a replica that was slow to start may still be open.
    await vi.waitUntil(async () => {
      await Promise.all(Array.from({ length: 6 }, read));
      return (await connections()).every((count) => count >= 3);
    }, FENCED);
  });
});

// docs/product.md W28
describe('reading your own writes', () => {
  test('a person sees their post at once although no replica has it', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await whilePaused(opine, async () => {
      const before = await opine.reads('behind');
      const post = await aThought(maya);
      expect(idsOf((await expectOk(maya.get(`/users/${maya.id}/feed`))).items)).toEqual([post.id]);
      expect(await opine.reads('behind')).toBe(before + 1);
    });
  });

  test('a voter sees their vote counted although no replica has it', async () => {
    const [maya, jonas] = await twoPeople();
    const slider = await aSlider(maya);
    await whilePaused(opine, async () => {
      expect((await castVote(jonas, slider, 'right')).status).toBe(201);
      expect(await countsOf(jonas, slider)).toEqual([0, 0, 0, 1, 0]);
    });
  });

  test('a person sees what a repeated request found already done', async () => {
    const jonas = await confirmedPerson(opine, 'Jonas');
    const post = await aThought(await confirmedPerson(opine, 'Maya'));
    await whilePaused(opine, async () => {
      await expectOk(requestSavePost(jonas, post));
      // Another phone, which knows nothing of the first request.
      const phone = clientAt(opine.url, jonas);
      await expectOk(requestSavePost(phone, post));
      expect(await savedPosts(phone)).toEqual([post.id]);
    });
  });

  test('a replica answers again once it has the write', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await aThought(maya);
    await expectReplicaAnswers(() => maya.get('/posts'));
  });

  test('a position is older than every replica that answers after ten seconds, so nothing waits for it', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const read = (age: number) => () => expectOk(maya.get('/posts', { headers: sealed(WRITE_TO_COME, age) }));
    for (const age of [0, 5_000]) expect(await answeredDuring(read(age))).toBe(0);
    await expectReplicaAnswers(read(10_001));
  });

  test('a write answers with a position and a read with none', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const header = ({ headers }: Reply) => headers.get('x-opine-position');
    const post = await maya.post('/posts', { thoughtText: 'Trams.', visibility: 'public' });
    expect(header(post)).toMatch(/^[\w+/]{40,}=*$/);
    expect(header(await maya.get('/posts'))).toBeNull();
  });
});

/** What somebody loses by `end`: `viewer` may read `path` until then. */
interface Loss {
  readonly end: () => Promise<Reply>;
  readonly viewer: Client;
  /** The same viewer at the primary. */
  readonly atPrimary: Client;
  readonly path: string;
}

function lossOf(person: Person, path: string, end: () => Promise<Reply>): Loss {
  // Another phone, for the acts of the person themselves.
  const viewer = clientAt(opine.url, person);
  return { end, viewer, atPrimary: clientAt(opine.primaryUrl, person), path };
}

async function aMembership() {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  return { amara, jonas, hub };
}

async function twoPeople(): Promise<[Person, Person]> {
  return [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
}

const LOSSES: Readonly<Record<string, () => Promise<Loss>>> = {
  'a removed member': async () => {
    const { amara, jonas, hub } = await aMembership();
    const remove = () => amara.post(`/hubs/${hub.id}/members/${jonas.id}/remove`);
    return lossOf(jonas, `/hubs/${hub.id}/feed`, remove);
  },
  'somebody who left': async () => {
    const { jonas, hub } = await aMembership();
    return lossOf(jonas, `/hubs/${hub.id}/members`, () => jonas.delete(`/hubs/${hub.id}/membership`));
  },
  'a member of a closed Hub': async () => {
    const { amara, jonas, hub } = await aMembership();
    return lossOf(jonas, `/hubs/${hub.id}/discussions`, () => amara.delete(`/hubs/${hub.id}`));
  },
  'a blocked person': async () => {
    const [maya, jonas] = await twoPeople();
    return lossOf(jonas, `/users/${maya.id}/profile`, () => requestBlock(maya, jonas));
  },
  'a session that another phone ends': async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    return lossOf(maya, '/users/me/profile', () => logOut(opine, maya.session));
  },
  'a reader of a deleted post': async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    return lossOf(jonas, `/posts/${post.id}`, () => maya.delete(`/posts/${post.id}`));
  },
  'a reader of an ended account': async () => {
    const [maya, jonas] = await twoPeople();
    return lossOf(jonas, `/users/${maya.id}/profile`, () => maya.delete('/users/me'));
  },
  'a guest at an ended account': async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const guests = { viewer: aGuest(opine), atPrimary: clientOf(opine.primaryUrl) };
    return { end: () => maya.delete('/users/me'), ...guests, path: `/users/${maya.id}/profile` };
  },
};

/** Gives the viewer a position that every replica has reached. */
async function settle({ viewer, path }: Loss): Promise<void> {
  if ((await viewer.get('/users/me/profile')).status === 200) await write(viewer);
  await expectReplicaAnswers(() => expectOk(viewer.get(path)));
}

// docs/product.md W28
describe('rights end at once', () => {
  test.each(Object.entries(LOSSES))(
    'a write that ends rights is answered only when no replica shows anything to %s',
    async (_, create) => {
      const loss = await create();
      await settle(loss);
      const { end, viewer, atPrimary, path } = loss;
      let isAnswered = false;
      const ending = await whilePaused(opine, async () => {
        const answer = end().finally(() => {
          isAnswered = true;
        });
        await vi.waitUntil(async () => (await atPrimary.get(path)).status >= 400, FENCED);
        // The replicas still show it, so the write must not be answered yet.
        expect((await viewer.get(path)).status).toBe(200);
        expect(isAnswered).toBe(false);
        return { answer };
      });
      expect((await ending.answer).status).toBe(200);
      expect((await viewer.get(path)).status).toBeGreaterThanOrEqual(400);
    },
  );

  test('a block is answered although a replica does not replay, and this replica answers no more reads', async () => {
    const [maya, jonas] = await twoPeople();
    await settle(lossOf(jonas, `/users/${maya.id}/profile`, () => requestBlock(maya, jonas)));
    await write(jonas);
    await whilePaused(opine, async () => {
      await block(maya, jonas);
      const before = await opine.reads('failed');
      expect(await jonas.get(`/users/${maya.id}/profile`)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
      expect(await opine.reads('failed')).toBeGreaterThan(before);
    });
    await allAnswer();
  });

  test('a block is answered although a replica has died', async () => {
    const [maya, jonas] = await twoPeople();
    const [replica] = opine.replicas;
    await replica?.kill();
    await block(maya, jonas);
    expect(await jonas.get(`/users/${maya.id}/profile`)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    await replica?.start();
    await allAnswer();
  });
});

test('the visit of a Hub that a replica shows is recorded on the primary', async () => {
  const { jonas, hub } = await aMembership();
  const [again] = await signedInAfter(opine, '25 hours', jonas);
  await write(again);
  const visit = () => expectOk(again.get(`/hubs/${hub.id}/feed`));
  await expectReplicaAnswers(visit);
  const seen = () =>
    sql<{ isSeen: boolean }>`
      select m.seen_at > app.now() - interval '1 minute' as "isSeen"
      from app.memberships as m where m.hub_id = ${hub.id} and m.user_id = ${jonas.id}`.execute(
      opine.database.superuser,
    );
  await vi.waitUntil(async () => (await seen()).rows[0]?.isSeen, FENCED);
});

/** Starts a database that accepts connections and never responds; `taken` holds its connections. */
async function aSilentDatabase(): Promise<{ url: string; taken: readonly Socket[] }> {
  const taken: Socket[] = [];
  const server = createServer((socket) => void taken.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    server.close();
  });
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `postgresql://opine_gateway:x@127.0.0.1:${port}/silent`, taken };
}

test('writes get 503 while the address of the primary leads to a standby', async () => {
  const [maya, jonas] = await twoPeople();
  const slider = await aSlider(maya);
  const [replica] = opine.replicas;
  const url = await anotherServer(opine, { PROCESS: 'api', DATABASE_URL: replica?.url });
  await vi.waitUntil(
    async () => (await clientAt(url, jonas).get('/users/me/profile')).status === 200,
    FENCED,
  );
  const unavailable = refusal(503, 'SERVICE_UNAVAILABLE');
  expect(await castVote(clientAt(url, jonas), slider, 'right')).toMatchObject(unavailable);
  expect(await requestSavePost(clientAt(url, jonas), slider)).toMatchObject(unavailable);
});

describe('fallback to the primary', () => {
  /** Starts a server with these replicas. */
  const guestWith = async (...urls: string[]) =>
    aGuest({
      ...opine,
      url: await anotherServer(opine, { PROCESS: 'api', DATABASE_REPLICA_URLS: urls.join() }),
    });

  test('the primary answers what a replica does not find', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await whilePaused(opine, async () => {
      const post = await aThought(maya);
      const before = await opine.reads('passed');
      expect((await expectOk(aGuest(opine).get(`/posts/${post.id}`))).id).toBe(post.id);
      expect(await aGuest(opine).get('/users/by-username/nobody')).toMatchObject(
        refusal(404, 'USER_NOT_FOUND'),
      );
      expect(await opine.reads('passed')).toBe(before + 2);
    });
  });

  test('a new session is no guest although the replica does not know it', async () => {
    await whilePaused(opine, async () => {
      const visitor = await anonymousPerson(opine);
      const before = await opine.reads('passed');
      await expectOk(visitor.get('/posts', { headers: sealed('1', 10_001) }));
      expect(await opine.reads('passed')).toBe(before + 1);
    });
  });

  test('the primary answers if a replica is unreachable', async () => {
    await expectOk((await guestWith('postgresql://opine_gateway:x@127.0.0.1:1/nowhere')).get('/posts'));
  });

  test('only the first request waits for a replica that hangs', async () => {
    const silent = await aSilentDatabase();
    const guest = await guestWith(silent.url);
    for (let time = 1; time <= 3; time += 1) await expectOk(guest.get('/posts'));
    expect(silent.taken).toHaveLength(1);
  });
});
