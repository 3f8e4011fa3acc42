import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { honoursIdempotencyKey } from '../../src/http/operation.ts';
import { type Client, clientOf, expectOk, type Json, type Reply, refusal } from '../support/client.ts';
import { block } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  requestJoin,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { hubReadyPerson, newPhoneNumber, type Person, signIn } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aComment, aSlider, aThought } from '../support/posts.ts';
import { removeReported, runStaffAction } from '../support/staff.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { aPendingUpload, checksumOf, presignBody } from '../support/uploads.ts';

const LOCKED = { visibility: 'private_locked_hub' };

let opine: OpineWithStorage;
let amara: Person;
let jonas: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Jonas')];
  hub = await aHub(amara);
  await join(amara, hub, [jonas]);
});

/** Sends a request with its own Idempotency-Key; repeated calls reuse the key. */
type Keyed = (client?: Client) => Promise<Reply>;

function keyed(client: Client, path: string, body?: object): Keyed {
  const headers = { 'idempotency-key': path };
  return (sender = client) => sender.post(path, body, { headers });
}

/** Creates one request of each operation that honours an Idempotency-Key. */
async function everyKeyedRequest(): Promise<Record<string, Keyed>> {
  const [lena, invited] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Invited')];
  const post = await aSlider(amara);
  const discussion = await discussionOf(jonas, hub, await aHubPost(amara, [hub]));
  const message = await aMessage(amara, discussion);
  const comment = await aComment(amara, post);
  const decision = await removeReported(opine, amara, 'comments', await aComment(jonas, post), jonas);
  const link = await anInviteLink(amara, hub);
  const request = await expectOk(requestJoin(await hubReadyPerson(opine), link));
  const invitation = await anInvitation(amara, hub, invited);
  const picture = await aPng();
  const { uploadId } = await aPendingUpload(jonas, picture);
  const reason = { reason: 'spam' };
  return {
    presign_upload: keyed(jonas, '/uploads/presign', presignBody(picture)),
    complete_upload: keyed(jonas, '/uploads/complete', {
      uploadId,
      purpose: 'profile_photo',
      checksum: checksumOf(picture),
    }),
    follow_user: keyed(jonas, `/users/${amara.id}/follow`),
    block_user: keyed(jonas, `/users/${invited.id}/block`),
    create_post: keyed(jonas, '/posts', { thoughtText: 'Among us.', ...LOCKED, hubIds: [hub.id] }),
    create_repost: keyed(jonas, `/posts/${post.id}/reposts`, {
      thoughtText: 'Look.',
      ...LOCKED,
      hubIds: [hub.id],
    }),
    create_comment: keyed(jonas, `/posts/${post.id}/comments`, { text: 'Hm.' }),
    share_to_feed: keyed(jonas, `/posts/${post.id}/share/feed`),
    share_to_hubs: keyed(jonas, `/posts/${post.id}/share/hubs`, { hubIds: [hub.id] }),
    save_post: keyed(jonas, `/posts/${post.id}/save`),
    report_user: keyed(jonas, `/reports/users/${amara.id}`, reason),
    report_post: keyed(jonas, `/reports/posts/${post.id}`, reason),
    report_hub: keyed(jonas, `/reports/hubs/${hub.id}`, reason),
    report_comment: keyed(jonas, `/reports/comments/${comment.id}`, reason),
    report_message: keyed(jonas, `/reports/messages/${message.id}`, reason),
    appeal_decision: keyed(jonas, `/moderation-decisions/${decision.id}/appeal`, { text: 'It does not.' }),
    create_hub: keyed(jonas, '/hubs', { name: 'Oak Street' }),
    create_invitations: keyed(amara, `/hubs/${hub.id}/invitations`, {
      phoneNumbers: [newPhoneNumber(), newPhoneNumber()],
    }),
    accept_invitation: keyed(invited, `/hub-invitations/${invitation.id}/accept`),
    create_invite_link: keyed(amara, `/hubs/${hub.id}/invite-links`, {}),
    request_to_join: keyed(lena, `/hub-invite-links/${link.token}/join-requests`),
    approve_join_request: keyed(amara, `/hubs/${hub.id}/join-requests/${request.id}/approve`),
    save_discussion: keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/save`),
    create_message: keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/messages`, { text: 'Hm.' }),
  };
}

test('stored responses contain no phone, and each replay equals the first response', async () => {
  const requests = await everyKeyedRequest();
  expect(Object.keys(requests).sort()).toEqual(
    ROUTES.filter(honoursIdempotencyKey)
      .map(({ id }) => id)
      .sort(),
  );
  const withPhones: string[] = [];
  for (const [operation, send] of Object.entries(requests)) {
    const first = await expectOk(send());
    const again = await send();
    expect([operation, again.headers.get('idempotency-replayed')]).toEqual([operation, 'true']);
    const regenerated = 'uploadUrl' in first ? { uploadUrl: expect.any(String) } : {};
    expect([operation, again.data]).toEqual([operation, { ...first, ...regenerated }]);
    if (JSON.stringify(first).includes('"+1202555')) withPhones.push(operation);
  }
  expect(withPhones).toEqual(['create_post', 'create_repost', 'create_invitations', 'create_message']);
  const { rows } = await sql<{ answers: number; phones: number }>`
    select count(*)::integer as answers, (count(*) filter (where answer::text ~ '\\+?1202555[0-9]{4}'))::integer as phones
    from gateway.idempotent_answers where answer is not null`.execute(opine.database.superuser);
  expect(rows).toEqual([{ answers: Object.keys(requests).length, phones: 0 }]);
});

describe('a replay', () => {
  let requests: Record<'post' | 'repost' | 'message', Keyed>;
  let first: Record<string, Json>;

  beforeEach(async () => {
    const discussion = await discussionOf(jonas, hub, await aHubPost(amara, [hub]));
    const source = await aThought(amara);
    const locked = { ...LOCKED, hubIds: [hub.id] };
    requests = {
      post: keyed(jonas, '/posts', { thoughtText: 'Among us.', ...locked }),
      repost: keyed(jonas, `/posts/${source.id}/reposts`, { thoughtText: 'Look.', ...locked }),
      message: keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/messages`, { text: 'Hm.' }),
    };
    first = await responsesTo(jonas);
  });

  /** Returns the response data of each request, sent by `sender`. */
  async function responsesTo(sender: Client): Promise<Record<string, Json>> {
    const responses: Record<string, Json> = {};
    for (const [name, send] of Object.entries(requests)) responses[name] = await expectOk(send(sender));
    return responses;
  }

  /** Returns the first responses without phones. */
  function withoutPhones(): Record<string, Json> {
    const { authorPhoneNumber: _, ...post } = first.post;
    const { authorPhoneNumber: __, ...repost } = first.repost;
    const { message } = first;
    return { post, repost, message: { ...message, author: { ...message.author, phoneNumber: null } } };
  }

  const suspendHub = () => runStaffAction(opine, 'suspend_hub', hub);
  const restoreHub = () => runStaffAction(opine, 'restore_hub', hub);

  test('a replay for an active member contains the phones', async () => {
    const { phoneNumber } = jonas;
    expect(first).toMatchObject({
      post: { authorPhoneNumber: phoneNumber },
      repost: { authorPhoneNumber: phoneNumber },
      message: { author: { phoneNumber } },
    });
    await block(amara, jonas);
    expect(await responsesTo(jonas)).toEqual(first);
  });

  test.each([
    ['has left the Hub', () => requestLeave(jonas, hub), () => join(amara, hub, [jonas])],
    ['is removed from the Hub', () => requestRemove(amara, hub, jonas), () => join(amara, hub, [jonas])],
    ['is in a suspended Hub', suspendHub, restoreHub],
  ])(
    'a replay contains no phone while its sender %s, and contains the phone again afterwards',
    async (_, end, undo) => {
      await end();
      expect(await responsesTo(jonas)).toEqual(withoutPhones());
      await undo();
      expect(await responsesTo(jonas)).toEqual(first);
    },
  );

  test('a replay contains no phone after the Hub is deleted', async () => {
    await expectOk(requestLeave(jonas, hub));
    await expectOk(requestLeave(amara, hub));
    await sql`delete from app.hubs where id = ${hub.id}`.execute(opine.database.superuser);
    expect(await responsesTo(jonas)).toEqual(withoutPhones());
  });

  test('a replay is refused to a suspended account, and contains the phones again once the account is restored', async () => {
    await runStaffAction(opine, 'suspend_user', jonas);
    for (const send of Object.values(requests))
      expect(await send()).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    await runStaffAction(opine, 'restore_user', jonas);
    await sql`delete from app.otp_codes`.execute(opine.database.superuser);
    const again = clientOf(opine.url, (await signIn(opine, jonas.phoneNumber)).accessToken);
    expect(await responsesTo(again)).toEqual(first);
  });
});
