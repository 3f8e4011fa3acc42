import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import {
  appeal,
  decideAppeal,
  decisionAbout,
  type OpineWithStaff,
  reportOf,
  SPAM,
  startOpineWithStaff,
} from '../support/decisions.ts';
import { aHubWithDiscussion, messagesOf } from '../support/discussions.ts';
import { profileSeenBy } from '../support/graph.ts';
import {
  aHub,
  aMessage,
  eventsDuring,
  hubSeenBy,
  requestChange,
  requestMessage,
  requestRelink,
  setHubProfile,
} from '../support/hubs.ts';
import { aGuest, anonymousPerson, confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aPdf, aPng } from '../support/pictures.ts';
import { aComment, aRepost, aThought, commentsOn, publish, requestComment } from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { anUpload } from '../support/uploads.ts';

let opine: OpineWithStaff;
/** The author of what is written; others of a test are new. */
let maya: Person;

const PATH = '/admin/blocked-terms';
const BECAUSE = { reason: 'Fifty reports this week.' };

const add = (term: string) => expectOk(opine.nina.post(`${PATH}/add`, { term, ...BECAUSE }));
const remove = (term: string) => expectOk(opine.nina.post(`${PATH}/remove`, { term, ...BECAUSE }));
const listed = async (): Promise<string[]> =>
  (await expectOk(opine.nina.get(PATH))).items.map(({ term }: Json) => term);

beforeAll(async () => {
  opine = await startOpineWithStaff();
  for (const term of ['pillz', 'cheap viagra', 'café', 'СПАМ']) await add(term);
});

afterAll(() => opine.stop());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the entry of the queue of reports about a target, undefined without one. */
const queued = (target: { id: string }) => reportOf(opine.nina, target);

/** Expects one report by the service, and none by a person, about a target. */
async function expectReported(kind: string, { id }: { id: string }): Promise<Json> {
  const entry = await queued({ id });
  expect(entry).toMatchObject({
    target: { kind, id },
    reportCount: 1,
    reasons: ['other'],
    remarks: [],
    isByService: true,
    claimedBy: null,
  });
  return entry;
}

describe('the list of blocked terms', () => {
  test('a moderator adds a term, reads the list and removes it', async () => {
    await add('garlic');
    const { items } = await expectOk(opine.nina.get(PATH));
    expect(items).toContainEqual({ term: 'garlic', addedAt: expect.stringMatching(TIME) });
    await remove('garlic');
    expect(await listed()).not.toContain('garlic');
  });

  test('a term that is added twice, also in another case, is listed once', async () => {
    onTestFinished(() => remove('leek').then(() => {}));
    for (const term of ['leek', 'leek', 'LEEK', ' leek ']) await add(term);
    expect((await listed()).filter((term) => term.trim().toLowerCase() === 'leek')).toHaveLength(1);
  });

  test('the removal of a term that is not on the list is 404', async () => {
    expect(await opine.nina.post(`${PATH}/remove`, { term: 'tulip', ...BECAUSE })).toMatchObject(
      refusal(404, 'TERM_NOT_FOUND'),
    );
  });

  test('a missing reason and a term without a word are 422', async () => {
    const before = await listed();
    const bodies = [
      {},
      { term: 'tulip' },
      { term: 'tulip', reason: ' ' },
      BECAUSE,
      { term: '', ...BECAUSE },
      { term: ' ', ...BECAUSE },
      { term: '!?', ...BECAUSE },
      { term: 'x'.repeat(1001), ...BECAUSE },
    ];
    for (const body of bodies)
      expect([body, await opine.nina.post(`${PATH}/add`, body)]).toMatchObject([body, { status: 422 }]);
    expect(await opine.nina.post(`${PATH}/remove`, { term: 'pillz' })).toMatchObject({ status: 422 });
    expect(await listed()).toEqual(before);
  });

  test('support gets 403, and a person and a guest 401', async () => {
    const body = { term: 'pillz', ...BECAUSE };
    const person = await confirmedPerson(opine);
    const requests: ((caller: Pick<Client, 'get' | 'post'>) => Promise<Json>)[] = [
      (caller) => caller.get(PATH),
      (caller) => caller.post(`${PATH}/add`, body),
      (caller) => caller.post(`${PATH}/remove`, body),
    ];
    for (const send of requests) {
      expect(await send(opine.sam)).toMatchObject(refusal(403, 'FORBIDDEN'));
      for (const client of [person, aGuest(opine)])
        expect(await send(client)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await listed()).toContain('pillz');
  });
});

// docs/product.md S24
describe('a text that holds a blocked term', () => {
  /** Publishes a thought by somebody new. Returns whether the service reports it. */
  async function isReported(thoughtText: string): Promise<boolean> {
    return (await queued(await aThought(await confirmedPerson(opine), thoughtText))) !== undefined;
  }

  test.each([
    'pillz',
    'Buy PILLZ now',
    'Buy píllz now',
    'Buy pi\u0301llz now',
    '(pillz)!',
    'Pillz, of course.',
    '#pillz',
    '@pillz',
    'pillz\nand more',
    'pillz-shop',
    'Good pillz/powders',
    'Good pillz.Cheap too',
    'https://pillz.example/today',
    'cheap viagra',
    'Here: Cheap  VIAGRA!',
    'So cheap\nviagra',
    'cheap-viagra',
    'We meet in the cafe',
    'We meet in the CAFÉ',
    'Это спам!',
    'Buy pil\u00adlz now',
    'Buy p\u200bi\u200cl\u200dl\u2060z now',
    'Buy pi\ufeffllz now',
    'So che\u00adap via\u200bgra',
  ])('%j is reported', async (text) => {
    expect(await isReported(text)).toBe(true);
  });

  test.each([
    'pill',
    'pillzy',
    'spillz',
    'my pillzbury',
    'pillz2000',
    'viagra is cheap',
    'viagra cheap',
    'cheap and viagra',
    'cheapviagra',
    'cheap viagras',
    'cafeteria',
    'спамер',
  ])('%j is not reported', async (text) => {
    expect(await isReported(text)).toBe(false);
  });

  test('the words of a term in two texts of a post are not reported', async () => {
    const author = await confirmedPerson(opine);
    const fields = { thoughtText: 'So cheap', sliderText: 'Viagra?', article: { title: 'Cheap' } };
    expect(await queued(await expectOk(publish(author, fields)))).toBeUndefined();
  });

  test('a new text is reported from the addition of a term until its removal', async () => {
    expect(await isReported('Buy tulips.')).toBe(false);
    await add('tulips');
    expect(await isReported('Buy tulips.')).toBe(true);
    await remove('tulips');
    expect(await isReported('Buy tulips.')).toBe(false);
  });
});

/** Each kind of text, written by Maya. Returns the target. */
const WRITTEN: [what: string, kind: string, write: () => Promise<Json>][] = [
  ['a thought', 'post', () => aThought(maya, 'Buy pillz.')],
  ['a slider text', 'post', () => expectOk(publish(maya, { sliderText: 'Buy pillz?' }))],
  ['an article title', 'post', () => expectOk(publish(maya, { article: { title: 'On pillz' } }))],
  [
    'an article text',
    'post',
    () => expectOk(publish(maya, { article: { text: `${'So. '.repeat(2000)}Buy pillz.` } })),
  ],
  [
    'a label of a slider',
    'post',
    () =>
      expectOk(
        publish(maya, { sliderText: 'What next?', slider: { leftLabel: 'Bread', rightLabel: 'Pillz' } }),
      ),
  ],
  [
    'the address of a link',
    'post',
    () => expectOk(publish(maya, { article: { url: 'https://shop.example/cheap-viagra?now' } })),
  ],
  [
    'an alt text of a post',
    'post',
    async () => {
      const media = [{ assetId: await aPicture(), altText: 'Many pillz' }];
      return expectOk(publish(maya, { article: { media } }));
    },
  ],
  [
    'the name of a document',
    'post',
    async () => {
      const { assetId } = await anUpload(maya, aPdf(), 'document', { fileName: 'pillz.pdf' });
      return expectOk(publish(maya, { article: { title: 'Read this', assetIds: [assetId] } }));
    },
  ],
  [
    'the alt text of a comment without text',
    'comment',
    async () => {
      const fields = { assetId: await aPicture(), altText: 'Many pillz' };
      return expectOk(requestComment(maya, await aThought(maya), fields));
    },
  ],
  [
    'the alt text of a message without text',
    'message',
    async () => {
      const { jonas, discussion } = await aHubWithDiscussion(opine);
      const { assetId } = await anUpload(jonas, await aPng(), 'post_image');
      return expectOk(requestMessage(jonas, discussion, { assetId, altText: 'Many pillz' }));
    },
  ],
  [
    'the bio of a person',
    'user',
    async () => {
      await expectOk(maya.patch('/users/me/profile', { bio: 'I sell pillz.' }));
      return maya;
    },
  ],
  [
    'the handle of a person',
    'user',
    async () => {
      await expectOk(maya.patch('/users/me/profile', { username: `pillz_${maya.id.slice(-6)}` }));
      return maya;
    },
  ],
  ['the description of a Hub', 'hub', () => aHub(maya, { description: 'We share pillz.' })],
  [
    'the link of a Hub',
    'hub',
    async () => {
      const hub = await aHub(maya);
      await expectOk(requestRelink(maya, hub, `cheap-viagra-${hub.id.slice(-6)}`));
      return hub;
    },
  ],
  [
    'the thought of a repost',
    'post',
    async () => aRepost(maya, await aThought(maya), { thoughtText: 'Buy pillz.' }),
  ],
  ['a comment', 'comment', async () => aComment(maya, await aThought(maya), 'Buy pillz.')],
  [
    'a message',
    'message',
    async () => {
      const { amara, discussion } = await aHubWithDiscussion(opine);
      return aMessage(amara, discussion, 'Buy pillz.');
    },
  ],
  ['the name of a new person', 'user', () => confirmedPerson(opine, 'Cheap Viagra')],
  [
    'a changed name of a person',
    'user',
    async () => {
      await expectOk(maya.patch('/users/me/profile', { fullName: 'Maya Pillz' }));
      return maya;
    },
  ],
  [
    'the name of a person in Hubs',
    'user',
    async () => {
      await setHubProfile(maya, { displayName: 'Maya Pillz' });
      return maya;
    },
  ],
  ['the name of a new Hub', 'hub', () => aHub(maya, { name: 'Pillz for all' })],
  [
    'a changed name of a Hub',
    'hub',
    async () => {
      const hub = await aHub(maya);
      return expectOk(requestChange(maya, hub, { name: 'Pillz for all' }));
    },
  ],
];

/** Uploads a picture of Maya's. Returns its asset. */
const aPicture = async (): Promise<string> => (await anUpload(maya, await aPng(), 'post_image')).assetId;

describe('a report by the service', () => {
  // docs/product.md S24
  test.each(WRITTEN)('%s with a blocked term opens one report of the %s', async (_, kind, write) => {
    maya = await hubReadyPerson(opine, 'Maya');
    await expectReported(kind, await write());
  });

  // docs/product.md S24
  test('the text is published all the same', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const guest = aGuest(opine);
    const reply = await publish(maya, { thoughtText: 'Buy pillz.' });
    expect([reply.status, reply.data.thoughtText]).toEqual([201, 'Buy pillz.']);
    const post = reply.data;
    expect((await guest.get(`/posts/${post.id}`)).status).toBe(200);
    expect((await expectOk(guest.get('/search/posts?q=pillz'))).items.map(({ id }: Json) => id)).toContain(
      post.id,
    );
    await aComment(maya, post, 'Cheap viagra!');
    expect(await commentsOn(guest, post)).toMatchObject([{ text: 'Cheap viagra!' }]);
    await expectOk(maya.patch('/users/me/profile', { fullName: 'Maya Pillz' }));
    expect((await profileSeenBy(guest, maya)).name).toBe('Maya Pillz');
    const hub = await aHub(maya, { name: 'Pillz for all' });
    expect((await hubSeenBy(maya, hub)).name).toBe('Pillz for all');
    const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
    await aMessage(jonas, discussion, 'Buy pillz.');
    expect(await messagesOf(amara, discussion)).toMatchObject([{ text: 'Buy pillz.' }]);
  });

  test('the report notifies nobody', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    expect(await eventsDuring(opine, () => aHub(maya, { name: 'Pillz for all' }))).toEqual([]);
  });

  // docs/product.md S24
  test('the report is in no list of a person’s reports, and stands beside those of people', async () => {
    const jonas = await anonymousPerson(opine);
    const post = await aThought(await confirmedPerson(opine), 'Buy pillz.');
    await expectReported('post', post);
    const author = await confirmedPerson(opine);
    const own = await aThought(author, 'Buy pillz.');
    for (const person of [author, jonas])
      expect((await expectOk(person.get('/users/me/reports'))).items).toEqual([]);
    await expectOk(requestReport(jonas, 'posts', own, { details: 'It sells.' }));
    expect(await queued(own)).toMatchObject({
      reportCount: 2,
      reasons: expect.arrayContaining(['other', 'spam']),
      remarks: ['It sells.'],
      isByService: true,
    });
    expect((await expectOk(jonas.get('/users/me/reports'))).items).toHaveLength(1);
    expect((await expectOk(author.get('/users/me/reports'))).items).toEqual([]);
  });

  test('an entry with reports of people alone is not by the service', async () => {
    const post = await aThought(await confirmedPerson(opine));
    await expectOk(requestReport(await anonymousPerson(opine), 'posts', post));
    expect(await queued(post)).toMatchObject({ reportCount: 1, isByService: false });
  });

  test('a text with several terms, and a post with several texts, has one report', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const fields = {
      thoughtText: 'Buy pillz and cheap viagra in the café.',
      sliderText: 'Pillz?',
      article: { title: 'Pillz', text: 'Cheap viagra.' },
    };
    await expectReported('post', await expectOk(publish(maya, fields)));
  });

  test('while a report is open, further changes of a name open no other', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const { reportId } = await expectReported('user', await rename(maya, 'Maya Pillz'));
    await rename(maya, 'Cheap Viagra');
    await rename(maya, 'Maya');
    await rename(maya, 'Maya Pillz');
    await setHubProfile(maya, { displayName: 'Maya Pillz' });
    expect(await expectReported('user', maya)).toMatchObject({ reportId });
  });

  test('concurrent changes of one name open one report', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    await Promise.all(['Pillz A', 'Pillz B', 'Pillz C', 'Pillz D'].map((name) => rename(maya, name)));
    await expectReported('user', maya);
  });

  test('after a dismissal a name is not reported again for a change of something else', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const { reportId } = await expectReported('user', await rename(maya, 'Maya Pillz'));
    await expectOk(opine.nina.post(`/admin/reports/${reportId}/dismiss`, { reason: 'It is her name.' }));
    await expectOk(maya.patch('/users/me/profile', { bio: 'Gardener.' }));
    await setHubProfile(maya, { displayName: 'Maya' });
    expect(await queued(maya)).toBeUndefined();
  });

  test('after a dismissal another name with a term is reported', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const { reportId } = await expectReported('user', await rename(maya, 'Maya Pillz'));
    await expectOk(opine.nina.post(`/admin/reports/${reportId}/dismiss`, { reason: 'It is her name.' }));
    await rename(maya, 'Cheap Viagra');
    expect((await expectReported('user', maya)).reportId).not.toBe(reportId);
  });

  test('staff removes what the service has reported, and its author reads the decision', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const post = await aThought(maya, 'Buy pillz.');
    const { reportId } = await expectReported('post', post);
    await expectOk(opine.nina.post(`/admin/reports/${reportId}/remove`, SPAM));
    expect(await decisionAbout(maya, post)).toMatchObject({ ...SPAM, target: { excerpt: 'Buy pillz.' } });
    expect((await maya.get(`/posts/${post.id}`)).status).toBe(404);
    expect(await queued(post)).toBeUndefined();
  });

  test('a post and a comment that a reversed appeal restores are not reported again', async () => {
    maya = await hubReadyPerson(opine, 'Maya');
    const post = await aThought(maya, 'Buy pillz.');
    const comment = await aComment(maya, await aThought(await confirmedPerson(opine)), 'Buy pillz.');
    for (const [kind, target] of [
      ['post', post],
      ['comment', comment],
    ] as const) {
      const { reportId } = await expectReported(kind, target);
      await expectOk(opine.nina.post(`/admin/reports/${reportId}/remove`, SPAM));
      const decision = await decisionAbout(maya, target);
      await appeal(maya, decision);
      await decideAppeal(opine.otto, decision, 'reversed');
      expect([kind, await queued(target)]).toEqual([kind, undefined]);
    }
  });
});

/** Changes the full name of a person. */
async function rename(person: Person, fullName: string): Promise<Person> {
  await expectOk(person.patch('/users/me/profile', { fullName }));
  return person;
}

// docs/product.md S24
test('a long text costs the same with one term and with 5,000, to 20 milliseconds', async () => {
  const { superuser } = opine.database;
  const text = `${'Long words about cheap trams and buses. '.repeat(240)}The end.`;
  /** Returns the least time of some looks at the text, in milliseconds. */
  const cost = async (): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < 9; run += 1) {
      const startedAt = performance.now();
      await sql`select staff.holds_blocked_term(${[text, text, text]}::text[])`.execute(superuser);
      times.push(performance.now() - startedAt);
    }
    return Math.min(...times);
  };
  const few = await cost();
  await sql`
    insert into staff.blocked_terms (term)
    select case n % 3 when 0 then 'word' || n when 1 then 'cheap offer ' || n else 'trams and ' || n end
    from generate_series(1, 5000) as n`.execute(superuser);
  onTestFinished(async () => {
    await sql`delete from staff.blocked_terms where term ~ '[0-9]$'`.execute(superuser);
  });
  expect((await cost()) - few).toBeLessThan(20);
});
