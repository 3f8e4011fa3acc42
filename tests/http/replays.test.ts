import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { honoursIdempotencyKey } from '../../src/http/operation.ts';
import { type Client, clientOf, expectOk, type Json, refusal } from '../support/client.ts';
import { block, unblock, unfollow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  requestAccept,
  requestAppoint,
  requestClose,
  requestDecide,
  requestDismiss,
  requestJoin,
  requestLeave,
  requestMessageDeletion,
  requestPostRemoval,
  requestRemove,
  requestWithdraw,
  setHubProfile,
} from '../support/hubs.ts';
import { everyKeyedRequest, type Keyed, keyed } from '../support/keyed-requests.ts';
import { advanceTime } from '../support/opine.ts';
import { hubReadyPerson, newPhoneNumber, type Person, signIn, withFreshSession } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import {
  aComment,
  aThought,
  requestCommentDeletion,
  requestUnsavePost,
  shareToFeed,
} from '../support/posts.ts';
import { removeReported, runStaffAction } from '../support/staff.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { aPendingUpload, checksumOf, presignBody } from '../support/uploads.ts';

const WORD = 'Quittengelee';
const LOCKED = { visibility: 'private_locked_hub' };

let opine: OpineWithStorage;
let amara: Person;
let jonas: Person;
let lena: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas, lena] = [
    await hubReadyPerson(opine, `Amara ${WORD}`),
    await hubReadyPerson(opine, 'Jonas'),
    await hubReadyPerson(opine, 'Lena'),
  ];
  hub = await aHub(amara, { description: `For ${WORD}.` });
  await join(amara, hub, [jonas]);
});

/** Returns the rows of stored answers, of one person or of all, as texts. */
async function storedRows(userId: string | null = null): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(a)::text as row from gateway.idempotent_answers as a
    where user_id = coalesce(${userId}, user_id)`.execute(opine.database.superuser);
  return rows.map(({ row }) => row);
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the texts in a JSON value, but for ids and for what is too short to be looked for. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < 4 || ID.test(value) ? [] : [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

describe('every operation that honours an Idempotency-Key', () => {
  // docs/product.md W16-W18
  test('replays its first answer while nothing has changed, and stores no text of request or answer', async () => {
    const requests = await everyKeyedRequest(opine, { amara, jonas, hub }, WORD);
    expect(Object.keys(requests).sort()).toEqual(
      ROUTES.filter(honoursIdempotencyKey)
        .map(({ id }) => id)
        .sort(),
    );
    await sql`delete from gateway.idempotent_answers`.execute(opine.database.superuser);
    const texts: string[] = [];
    for (const [operation, { body, send }] of Object.entries(requests)) {
      const first = await send();
      expect([operation, first.error]).toEqual([operation, undefined]);
      const again = await send();
      expect([operation, again.headers.get('idempotency-replayed')]).toEqual([operation, 'true']);
      const regenerated = 'uploadUrl' in first.data ? { uploadUrl: expect.any(String) } : {};
      expect([operation, again.status, again.data]).toEqual([
        operation,
        first.status,
        { ...first.data, ...regenerated },
      ]);
      texts.push(...textsIn(body), ...textsIn(first.data));
    }
    expect(texts.join()).toContain(WORD);
    const rows = await storedRows();
    expect(rows).toHaveLength(Object.keys(requests).length);
    expect([WORD, ...texts].filter((text) => rows.some((row) => row.includes(text)))).toEqual([]);
  });

  // docs/product.md W18
  test('keeps nothing of an account that has ended', async () => {
    const requests = await everyKeyedRequest(opine, { amara, jonas, hub }, WORD);
    for (const { send } of Object.values(requests)) await expectOk(send());
    expect((await storedRows(jonas.id)).length).toBeGreaterThan(10);
    const others = await storedRows(amara.id);
    await expectOk(jonas.delete('/users/me'));
    expect(await storedRows(jonas.id)).toEqual([]);
    expect(await storedRows(amara.id)).toEqual(others);
  });
});

interface Case {
  readonly request: () => Keyed | Promise<Keyed>;
  /** Changes what the request created, which is `first`. */
  readonly change: (first: Json) => Promise<unknown>;
  /** Returns what the replay matches. */
  readonly replay: (changed: unknown) => Json;
}

const notFound = (kind: string) => () => refusal(404, `${kind}_NOT_FOUND`);
const shows = (data: Json) => () => ({ data });

let post: Json;
let link: Json;

const aPublicPost = async () => {
  post = await aThought(amara);
  return post;
};
const suspend = (person: Person) => runStaffAction(opine, 'suspend_user', person);
const deletePost = () => expectOk(amara.delete(`/posts/${post.id}`));

const onPost = (path: string, body?: object) => async () =>
  keyed(jonas, `/posts/${(await aPublicPost()).id}/${path}`, body);
const comment = onPost('comments', { text: 'Hm.' });
const feedShare = onPost('share/feed');
const savedPost = onPost('save');
const ownPost = (fields: object = LOCKED) =>
  keyed(jonas, '/posts', { thoughtText: 'Mine.', hubIds: [hub.id], ...fields });

const onDiscussion = (path: string, body?: object) => async () => {
  const discussion = await discussionOf(jonas, hub, await aHubPost(amara, [hub]));
  return keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/${path}`, body);
};
const message = onDiscussion('messages', { text: 'Hm.' });
const savedDiscussion = onDiscussion('save');

const hubShare = async () =>
  keyed(jonas, `/posts/${(await aPublicPost()).id}/share/hubs`, { hubIds: [hub.id] });
const ownHub = () => keyed(jonas, '/hubs', { name: 'Oak Street' });
const invitations = () =>
  keyed(jonas, `/hubs/${hub.id}/invitations`, { phoneNumbers: [lena.phoneNumber, newPhoneNumber()] });
const acceptance = async () =>
  keyed(lena, `/hub-invitations/${(await anInvitation(amara, hub, lena)).id}/accept`);
const inviteLink = async () => {
  await expectOk(requestAppoint(amara, hub, jonas, 'manager'));
  return keyed(jonas, `/hubs/${hub.id}/invite-links`, {});
};
const joinRequest = async () => {
  link = await anInviteLink(amara, hub);
  return keyed(lena, `/hub-invite-links/${link.token}/join-requests`);
};
const approval = async () => {
  await expectOk(requestAppoint(amara, hub, jonas));
  const { id } = await expectOk(requestJoin(lena, await anInviteLink(amara, hub)));
  return keyed(jonas, `/hubs/${hub.id}/join-requests/${id}/approve`);
};
const report = () => keyed(jonas, `/reports/users/${amara.id}`, { reason: 'spam' });
const appeal = async () => {
  const decision = await removeReported(opine, amara, 'posts', await aThought(jonas), jonas);
  return keyed(jonas, `/moderation-decisions/${decision.id}/appeal`, { text: 'It does not.' });
};
const follow = () => keyed(jonas, `/users/${amara.id}/follow`);
const completion = async () => {
  const picture = await aPng();
  const { uploadId } = await aPendingUpload(jonas, picture);
  const body = { uploadId, purpose: 'profile_photo', checksum: checksumOf(picture) };
  return keyed(jonas, '/uploads/complete', body);
};

const CASES: Record<string, Case> = {
  'a repost of a private post, after its author was removed from the Hub, has no original': {
    request: async () => {
      // In two Hubs it may be reposted.
      const source = await aHubPost(amara, [hub, await aHub(amara)], { thoughtText: `Among us: ${WORD}.` });
      return keyed(jonas, `/posts/${source.id}/reposts`, {
        thoughtText: 'Look.',
        hubIds: [hub.id],
        ...LOCKED,
      });
    },
    change: () => requestRemove(amara, hub, jonas),
    replay: shows({ thoughtText: 'Look.', sourcePost: null, hubs: [] }),
  },
  'a post that was removed from the Hub with its author names no Hub': {
    request: ownPost,
    change: async (first) => {
      await expectOk(requestPostRemoval(amara, hub, first));
      await expectOk(requestRemove(amara, hub, jonas));
    },
    replay: shows({ thoughtText: 'Mine.', hubs: [] }),
  },
  'a post that its author deleted is 404': {
    request: ownPost,
    change: ({ id }) => expectOk(jonas.delete(`/posts/${id}`)),
    replay: notFound('POST'),
  },
  'a post that staff removed is 404': {
    request: () => ownPost({ visibility: 'public', hubIds: [] }),
    change: (first) => removeReported(opine, amara, 'posts', first, jonas),
    replay: notFound('POST'),
  },
  'a post shows the comments since': {
    request: () => ownPost({ visibility: 'public', hubIds: [] }),
    change: (first) => aComment(amara, first),
    replay: shows({ commentCount: 1 }),
  },
  'a deleted comment is 404': {
    request: comment,
    change: (first) => requestCommentDeletion(jonas, first),
    replay: notFound('COMMENT'),
  },
  'a deleted comment with replies is 404': {
    request: comment,
    change: async (first) => {
      await aComment(amara, post, 'Quite.', { parentCommentId: first.id });
      await expectOk(requestCommentDeletion(jonas, first));
    },
    replay: notFound('COMMENT'),
  },
  'a comment on a post of a suspended person is 404': {
    request: comment,
    change: () => suspend(amara),
    replay: notFound('COMMENT'),
  },
  'a comment on a post of a person who blocks its author is 404': {
    request: comment,
    change: () => block(amara, jonas),
    replay: notFound('COMMENT'),
  },
  'a feed share shows the last share': {
    request: feedShare,
    change: () => shareToFeed(jonas, post),
    replay: (last) => ({ data: last }),
  },
  'a feed share of a deleted post is 404': {
    request: feedShare,
    change: deletePost,
    replay: notFound('POST'),
  },
  'a feed share of a post of a suspended person is 404': {
    request: feedShare,
    change: () => suspend(amara),
    replay: notFound('POST'),
  },
  'a Hub share of a post that was taken out again names no Hub': {
    request: hubShare,
    change: () => expectOk(requestPostRemoval(amara, hub, post)),
    replay: shows({ hubs: [] }),
  },
  'a Hub share after its author left names no Hub': {
    request: hubShare,
    change: () => expectOk(requestLeave(jonas, hub)),
    replay: shows({ hubs: [] }),
  },
  'a Hub share of a deleted post is 404': { request: hubShare, change: deletePost, replay: notFound('POST') },
  'a saved post that was unsaved is not saved': {
    request: savedPost,
    change: () => expectOk(requestUnsavePost(jonas, post)),
    replay: shows({ saved: false }),
  },
  'a saved post that was deleted is 404': {
    request: savedPost,
    change: deletePost,
    replay: notFound('POST'),
  },
  'a dismissed report is dismissed': {
    request: report,
    change: ({ reportId }) =>
      sql`select staff.dismiss_report(${reportId}, 'a test')`.execute(opine.database.superuser),
    replay: shows({ state: 'dismissed' }),
  },
  'a report of a suspended person is actioned': {
    request: report,
    change: () => suspend(amara),
    replay: shows({ state: 'actioned' }),
  },
  'a decided appeal shows its outcome': {
    request: appeal,
    change: ({ id }) =>
      sql`
        update app.appeals set state = 'upheld', statement = 'No.', decided_by = 'a test', decided_at = app.now()
        where decision_id = ${id}`.execute(opine.database.superuser),
    replay: shows({ appeal: { state: 'upheld' } }),
  },
  'a Hub that was renamed has its new name': {
    request: ownHub,
    change: ({ id }) => expectOk(jonas.patch(`/hubs/${id}`, { name: 'Elm Lane' })),
    replay: shows({ name: 'Elm Lane' }),
  },
  'a Hub that its founder left shows what a non-member sees': {
    request: ownHub,
    change: async (first) => {
      await join(jonas, first, [amara], 'admin');
      await expectOk(requestLeave(jonas, first));
    },
    replay: shows({ viewerStatus: 'none', viewerRole: null }),
  },
  'a closed Hub is 404': {
    request: ownHub,
    change: (first) => expectOk(requestClose(jonas, first)),
    replay: notFound('HUB'),
  },
  'a suspended Hub is 404': {
    request: ownHub,
    change: (first) => runStaffAction(opine, 'suspend_hub', first),
    replay: notFound('HUB'),
  },
  'an accepted invitation is accepted, and has no link': {
    request: invitations,
    change: ({ items: [first] }) => expectOk(requestAccept(lena, first)),
    replay: shows({
      items: [
        { state: 'accepted', inviteUrl: null, shareText: null },
        { state: 'pending', inviteUrl: expect.any(String) },
      ],
    }),
  },
  'the invitations of a former member are 404': {
    request: invitations,
    change: () => expectOk(requestRemove(amara, hub, jonas)),
    replay: notFound('INVITATION'),
  },
  'an acceptance shows the status of now': {
    request: acceptance,
    change: () => expectOk(requestLeave(lena, hub)),
    replay: shows({ viewerStatus: 'none', joinRequestId: null }),
  },
  'an acceptance into a closed Hub is 404': {
    request: acceptance,
    change: () => expectOk(requestClose(amara, hub)),
    replay: notFound('HUB'),
  },
  'an invite link that was used shows its uses': {
    request: inviteLink,
    change: (first) => expectOk(requestJoin(lena, first)),
    replay: shows({ useCount: 1, token: expect.any(String) }),
  },
  'a revoked invite link is 404': {
    request: inviteLink,
    change: ({ id }) => expectOk(amara.delete(`/hubs/${hub.id}/invite-links/${id}`)),
    replay: notFound('INVITE_LINK'),
  },
  'an invite link of a former manager is 404': {
    request: inviteLink,
    change: () => expectOk(requestDismiss(amara, hub, jonas)),
    replay: notFound('INVITE_LINK'),
  },
  'an approved join request is approved': {
    request: joinRequest,
    change: (first) => expectOk(requestDecide(amara, hub, first, 'approve')),
    replay: shows({ state: 'approved' }),
  },
  'a rejected join request is rejected': {
    request: joinRequest,
    change: (first) => expectOk(requestDecide(amara, hub, first, 'reject')),
    replay: shows({ state: 'rejected' }),
  },
  'a withdrawn join request is 404': {
    request: joinRequest,
    change: (first) => expectOk(requestWithdraw(lena, hub, first)),
    replay: notFound('JOIN_REQUEST'),
  },
  'a join request of a closed Hub is 404': {
    request: joinRequest,
    change: () => expectOk(requestClose(amara, hub)),
    replay: notFound('JOIN_REQUEST'),
  },
  'an approval by a former admin is 404': {
    request: approval,
    change: () => expectOk(requestDismiss(amara, hub, jonas)),
    replay: notFound('JOIN_REQUEST'),
  },
  'a message shows the name of now': {
    request: message,
    change: () => setHubProfile(jonas, { displayName: 'Jonas the Second' }),
    replay: shows({ author: { displayName: 'Jonas the Second' } }),
  },
  'a deleted message is 404': {
    request: message,
    change: (first) =>
      expectOk(requestMessageDeletion(jonas, { id: first.discussionId, hubId: hub.id }, first)),
    replay: notFound('MESSAGE'),
  },
  'a message of a former member is 404': {
    request: message,
    change: () => expectOk(requestRemove(amara, hub, jonas)),
    replay: notFound('MESSAGE'),
  },
  'a saved discussion of a former member is 404': {
    request: savedDiscussion,
    change: () => expectOk(requestLeave(jonas, hub)),
    replay: notFound('DISCUSSION'),
  },
  'a follow that ended is over': {
    request: follow,
    change: () => unfollow(jonas, amara),
    replay: shows({ following: false }),
  },
  'a follow of a suspended person is 404': {
    request: follow,
    change: () => suspend(amara),
    replay: notFound('USER'),
  },
  'a block that ended is over': {
    request: () => keyed(jonas, `/users/${amara.id}/block`),
    change: () => unblock(jonas, amara),
    replay: shows({ blocked: false }),
  },
  'a file that nothing holds any more is 404': {
    request: completion,
    change: async ({ assetId }) => {
      await expectOk(jonas.patch('/users/me/profile', { profileAssetId: assetId }));
      await expectOk(jonas.patch('/users/me/profile', { profileAssetId: null }));
    },
    replay: notFound('ASSET'),
  },
};

// docs/product.md W17
test.each(Object.entries(CASES))('the replay of %s', async (_, { request, change, replay }) => {
  const { send } = await request();
  const changed = await change(await expectOk(send()));
  const again = await send();
  expect(again).toMatchObject(replay(changed));
  expect(again.headers.get('idempotency-replayed')).toBe(again.status < 300 ? 'true' : null);
});

// docs/product.md W17, M2
test('the replay of a presigned upload is 409 after the upload has expired', async () => {
  const { send } = keyed(jonas, '/uploads/presign', presignBody(await aPng()));
  const first = await expectOk(send());
  await advanceTime(opine, '14 minutes');
  const later = await withFreshSession(opine, jonas);
  expect(await expectOk(send(later))).toMatchObject({ uploadId: first.uploadId });
  await advanceTime(opine, '1 minute');
  expect(await send(later)).toMatchObject(refusal(409, 'UPLOAD_CONFLICT', { reason: 'expired' }));
});

// docs/product.md W17
describe('the phones in a replay', () => {
  let requests: Record<'post' | 'repost' | 'message', Keyed>;
  let first: Record<string, Json>;

  beforeEach(async () => {
    const discussion = await discussionOf(jonas, hub, await aHubPost(amara, [hub]));
    const source = await aThought(lena);
    const locked = { ...LOCKED, hubIds: [hub.id] };
    requests = {
      post: keyed(jonas, '/posts', { thoughtText: 'Among us.', ...locked }),
      repost: keyed(jonas, `/posts/${source.id}/reposts`, { thoughtText: 'Look.', ...locked }),
      message: keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/messages`, { text: 'Hm.' }),
    };
    first = await dataFor(jonas);
  });

  /** Returns the data that each request answers to `sender`. */
  async function dataFor(sender: Client): Promise<Record<string, Json>> {
    const data: Record<string, Json> = {};
    for (const [name, { send }] of Object.entries(requests)) data[name] = await expectOk(send(sender));
    return data;
  }

  test('are there for an active member', async () => {
    const { phoneNumber } = jonas;
    expect(first).toMatchObject({
      post: { authorPhoneNumber: phoneNumber },
      repost: { authorPhoneNumber: phoneNumber },
      message: { author: { phoneNumber } },
    });
    expect(await dataFor(jonas)).toEqual(first);
  });

  const rejoin = () => join(amara, hub, [jonas]);

  test.each([
    ['has left the Hub', () => requestLeave(jonas, hub), rejoin],
    ['is removed from the Hub', () => requestRemove(amara, hub, jonas), rejoin],
    [
      'is in a suspended Hub',
      () => runStaffAction(opine, 'suspend_hub', hub),
      () => runStaffAction(opine, 'restore_hub', hub),
    ],
  ])('are gone while the sender %s, and there again afterwards', async (_, end, undo) => {
    await end();
    for (const name of ['post', 'repost'] as const)
      expect(await expectOk(requests[name].send())).not.toHaveProperty('authorPhoneNumber');
    expect(await requests.message.send()).toMatchObject(refusal(404, 'MESSAGE_NOT_FOUND'));
    await undo();
    expect(await dataFor(jonas)).toEqual(first);
  });

  test('are refused to a suspended account, and there again once the account is restored', async () => {
    await suspend(jonas);
    for (const { send } of Object.values(requests))
      expect(await send()).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    await runStaffAction(opine, 'restore_user', jonas);
    await sql`delete from app.otp_codes`.execute(opine.database.superuser);
    const again = clientOf(opine.url, (await signIn(opine, jonas.phoneNumber)).accessToken);
    expect(await dataFor(again)).toEqual(first);
  });
});
