import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import {
  aCircle,
  aDiscussingCircle,
  messagesOf,
  nonMembersOf,
  pathOf,
  requestSave,
  requestUnsave,
  savedBy,
  textsOf,
} from '../support/discussions.ts';
import { block, everyPage, granted, idsOf, NO_IDS, NOBODY, withQuery } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  discussionOf,
  type Hub,
  join,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, aPersonOf, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const PATH = '/users/me/saved-discussions';
const NO_DISCUSSION = refusal(404, 'DISCUSSION_NOT_FOUND');

/** Creates `count` posts of `author` and saves their discussions, one second apart; returns them oldest first. */
async function createSaved(author: Person, hub: Hub, count: number): Promise<Json[]> {
  const discussions: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const discussion = await discussionOf(author, hub, await aHubPost(author, [hub]));
    await timePasses(opine, '1 second');
    await granted(requestSave(author, discussion));
    discussions.push(discussion);
  }
  return discussions;
}

describe('saving a discussion', () => {
  test('only the member who saved a discussion lists it, with its Hub', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const { status, data } = await requestSave(jonas, discussion);
    expect([status, data]).toEqual([200, { saved: true }]);
    expect(await discussionOf(jonas, hub, post)).toEqual({ ...discussion, viewerSaved: true });
    expect(await discussionOf(amara, hub, post)).toEqual(discussion);
    expect(await savedBy(jonas)).toEqual([
      {
        ...discussion,
        viewerSaved: true,
        hub: { id: hub.id, name: hub.name },
        previewMessages: [],
      },
    ]);
    expect(await savedBy(amara)).toEqual([]);
  });

  test('saving and unsaving are idempotent, also when concurrent', async () => {
    const { hub, jonas, post, discussion } = await aDiscussingCircle(opine);
    for (const _ of [1, 2]) expect(await granted(requestSave(jonas, discussion))).toEqual({ saved: true });
    expect(idsOf(await savedBy(jonas))).toEqual([discussion.id]);
    for (const _ of [1, 2]) {
      const { status, data } = await requestUnsave(jonas, discussion);
      expect([status, data]).toEqual([200, { saved: false }]);
    }
    expect(await savedBy(jonas)).toEqual([]);
    expect((await discussionOf(jonas, hub, post)).viewerSaved).toBe(false);
    await Promise.all(Array.from({ length: 6 }, () => granted(requestSave(jonas, discussion))));
    expect(await savedBy(jonas)).toHaveLength(1);
  });

  test('a replay with an Idempotency-Key does not save the discussion again', async () => {
    const { jonas, discussion } = await aDiscussingCircle(opine);
    const save = () =>
      jonas.post(pathOf(discussion, 'save'), undefined, { headers: { 'idempotency-key': 'a-key' } });
    expect((await save()).headers.get('idempotency-replayed')).toBeNull();
    await granted(requestUnsave(jonas, discussion));
    const again = await save();
    expect([again.status, again.data]).toEqual([200, { saved: true }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await savedBy(jonas)).toEqual([]);
  });

  test('a non-member can neither save nor unsave a discussion', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values()) {
      expect(await requestSave(nonMember, discussion)).toMatchObject(NO_DISCUSSION);
      expect(await requestUnsave(nonMember, discussion)).toMatchObject(NO_DISCUSSION);
      expect(await savedBy(nonMember)).toEqual([]);
    }
  });

  test('a caller below level 4 gets 403 and a guest gets 401', async () => {
    const { discussion } = await aDiscussingCircle(opine);
    for (const level of [1, 2, 3]) {
      const person = await aPersonOf(level, opine);
      const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level });
      for (const send of [requestSave, requestUnsave])
        expect(await send(person, discussion)).toMatchObject(refused);
      expect(await person.get(PATH)).toMatchObject(refused);
    }
    for (const send of [requestSave, requestUnsave])
      expect((await send(aGuest(opine), discussion)).status).toBe(401);
    expect(await aGuest(opine).get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an unknown discussion, one of another Hub and an unknown Hub are 404', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    const other = await aHub(amara);
    const unknown = [NOBODY.id, ...NO_IDS].map((id) => ({ id, hubId: hub.id }));
    for (const none of [...unknown, { ...discussion, hubId: other.id }]) {
      for (const send of [requestSave, requestUnsave])
        expect(await send(amara, none)).toMatchObject(NO_DISCUSSION);
    }
    for (const hubId of [NOBODY.id, ...NO_IDS]) {
      for (const send of [requestSave, requestUnsave]) {
        const refused = await send(amara, { ...discussion, hubId });
        expect(refused).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
      }
    }
    expect(await savedBy(amara)).toEqual([]);
  });
});

describe('GET /users/me/saved-discussions', () => {
  test('an entry shows its three earliest messages, oldest first, replies included', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    await granted(requestSave(jonas, discussion));
    const root = await aMessage(amara, discussion, 'one');
    const previewTexts = async () => textsOf((await savedBy(jonas))[0].previewMessages);
    expect(await previewTexts()).toEqual(['one']);
    const second = await aMessage(jonas, discussion, 'two');
    await aMessage(amara, discussion, 'three', { parentMessageId: second.id });
    await aMessage(amara, discussion, 'four', { parentMessageId: root.id });
    expect(await previewTexts()).toEqual(['one', 'two', 'three']);
    const [first, other] = await messagesOf(jonas, discussion);
    const [third] = await messagesOf(jonas, discussion, other);
    const [saved] = await savedBy(jonas);
    expect(saved.previewMessages).toEqual([first, other, third]);
    const { lastActivityAt } = await discussionOf(jonas, hub, post);
    expect(saved).toMatchObject({ messageCount: 4, lastActivityAt });
  });

  test('the list has all Hubs, last saved first, whatever the last activity', async () => {
    const { hub, jonas } = await aCircle(opine);
    const [first] = await createSaved(jonas, hub, 1);
    const [second] = await createSaved(jonas, await aHub(jonas, { name: 'Oak Street' }), 1);
    await timePasses(opine, '1 second');
    await aMessage(jonas, first);
    await granted(requestSave(jonas, first));
    expect((await savedBy(jonas)).map(({ hub: { name } }) => name)).toEqual(['Oak Street', 'Elm Street']);
    await granted(requestUnsave(jonas, first));
    await granted(requestSave(jonas, first));
    expect(idsOf(await savedBy(jonas))).toEqual([first.id, second.id]);
  });

  test.each([1, 2, 3, 4, 5, 6, 100])(
    'pages of %i list each saved discussion once, last saved first',
    async (limit) => {
      const { hub, jonas } = await aCircle(opine);
      const discussions = await createSaved(jonas, hub, 5);
      const pages = await everyPage(jonas, PATH, { limit });
      expect(pages.flatMap(idsOf)).toEqual(idsOf(discussions).reverse());
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    },
  );

  test.each(['0', '101', '-1', 'ten', ''])('the limit "%s" is 422', async (limit) => {
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['limit'] }] });
    expect(await (await aHubReady(opine)).get(withQuery(PATH, { limit }))).toMatchObject(refused);
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', '\u0000'])('the cursor %j is 422', async (cursor) => {
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
    expect(await (await aHubReady(opine)).get(withQuery(PATH, { cursor }))).toMatchObject(refused);
  });

  test('a block hides neither a saved discussion nor its messages', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    await granted(requestSave(jonas, discussion));
    await aMessage(amara, discussion, 'Said.');
    await block(amara, jonas);
    const [saved] = await savedBy(jonas);
    expect(saved).toMatchObject({ preview: discussion.preview, previewMessages: [{ text: 'Said.' }] });
  });

  test('the deletion of a post removes its saved discussion', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const [kept] = await createSaved(jonas, hub, 1);
    await granted(requestSave(jonas, discussion));
    await granted(amara.delete(`/posts/${post.id}`));
    expect(idsOf(await savedBy(jonas))).toEqual([kept.id]);
  });
});

describe('saved discussions after the end of a membership', () => {
  test.each(['who leaves', 'who is removed'])(
    'the list omits the Hub of a member %s until they rejoin',
    async (who) => {
      const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
      const other = await aHub(jonas);
      const [elsewhere] = await createSaved(jonas, other, 1);
      for (const member of [amara, jonas]) await granted(requestSave(member, discussion));
      await granted(who === 'who leaves' ? requestLeave(jonas, hub) : requestRemove(amara, hub, jonas));
      expect(idsOf(await savedBy(jonas))).toEqual([elsewhere.id]);
      for (const send of [requestSave, requestUnsave])
        expect(await send(jonas, discussion)).toMatchObject(NO_DISCUSSION);
      await join(amara, hub, [jonas]);
      expect(idsOf(await savedBy(jonas))).toEqual([discussion.id, elsewhere.id]);
      expect((await discussionOf(jonas, hub, post)).viewerSaved).toBe(true);
      expect(idsOf(await savedBy(amara))).toEqual([discussion.id]);
    },
  );

  test('pages stay full without the discussions of Hubs that the viewer left', async () => {
    const { hub, jonas } = await aCircle(opine);
    const other = await aHub(jonas);
    const [first] = await createSaved(jonas, other, 1);
    await createSaved(jonas, hub, 3);
    const [last] = await createSaved(jonas, other, 1);
    await granted(requestLeave(jonas, hub));
    const pages = await everyPage(jonas, PATH, { limit: 1 });
    expect(pages.map(idsOf)).toEqual([[last.id], [first.id]]);
  });

  test('the last member who leaves closes the Hub and loses its saved discussions', async () => {
    const jonas = await aHubReady(opine);
    const hub = await aHub(jonas);
    await createSaved(jonas, hub, 2);
    await granted(requestLeave(jonas, hub));
    expect(await savedBy(jonas)).toEqual([]);
  });
});
