import { type Client, expectOk, type Json, type Reply } from './client.ts';
import { aHubPost, aMessage, anInvitation, anInviteLink, discussionOf, requestJoin } from './hubs.ts';
import { hubReadyPerson, newPhoneNumber, type Person } from './people.ts';
import { aPng } from './pictures.ts';
import { aComment, aSlider } from './posts.ts';
import { removeReported } from './staff.ts';
import type { OpineWithStorage } from './storage.ts';
import { aPendingUpload, checksumOf, presignBody } from './uploads.ts';

/** A request with an Idempotency-Key of its own: each call sends it again. */
export interface Keyed {
  readonly body: object;
  send(client?: Client): Promise<Reply>;
}

let keys = 0;

/** Creates a request of `client`, which has a new Idempotency-Key. */
export function keyed(client: Client, path: string, body: object = {}): Keyed {
  keys += 1;
  const headers = { 'idempotency-key': `k-${keys}` };
  return { body, send: (sender = client) => sender.post(path, body, { headers }) };
}

/** A Hub of `amara`, of which `jonas` is a member. */
export interface KeyedWorld {
  readonly amara: Person;
  readonly jonas: Person;
  readonly hub: Json;
}

/** Creates one request of each operation that honours an Idempotency-Key. The texts in them hold `word`. */
export async function everyKeyedRequest(
  opine: OpineWithStorage,
  { amara, jonas, hub }: KeyedWorld,
  word: string,
): Promise<Record<string, Keyed>> {
  const [lena, invited] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Invited')];
  const post = await aSlider(amara, { thoughtText: `A source: ${word}.` });
  const discussion = await discussionOf(jonas, hub, await aHubPost(amara, [hub]));
  const message = await aMessage(amara, discussion);
  const comment = await aComment(amara, post);
  const decision = await removeReported(opine, amara, 'comments', await aComment(jonas, post), jonas);
  const link = await anInviteLink(amara, hub);
  const request = await expectOk(requestJoin(await hubReadyPerson(opine), link));
  const invitation = await anInvitation(amara, hub, invited);
  const picture = await aPng();
  const { uploadId } = await aPendingUpload(jonas, picture);
  const among = { thoughtText: `A thought: ${word}.`, visibility: 'private_locked_hub', hubIds: [hub.id] };
  const reason = { reason: 'harassment', details: `A detail: ${word}.` };
  const text = `A text: ${word}.`;
  return {
    presign_upload: keyed(
      jonas,
      '/uploads/presign',
      presignBody(picture, 'profile_photo', { fileName: word }),
    ),
    complete_upload: keyed(jonas, '/uploads/complete', {
      uploadId,
      purpose: 'profile_photo',
      checksum: checksumOf(picture),
    }),
    follow_user: keyed(jonas, `/users/${amara.id}/follow`),
    block_user: keyed(jonas, `/users/${invited.id}/block`),
    create_post: keyed(jonas, '/posts', { ...among, article: { url: 'https://a.example', title: word } }),
    create_repost: keyed(jonas, `/posts/${post.id}/reposts`, among),
    create_comment: keyed(jonas, `/posts/${post.id}/comments`, { text }),
    share_to_feed: keyed(jonas, `/posts/${post.id}/share/feed`),
    share_to_hubs: keyed(jonas, `/posts/${post.id}/share/hubs`, { hubIds: [hub.id] }),
    save_post: keyed(jonas, `/posts/${post.id}/save`),
    report_user: keyed(jonas, `/reports/users/${amara.id}`, reason),
    report_post: keyed(jonas, `/reports/posts/${post.id}`, reason),
    report_hub: keyed(jonas, `/reports/hubs/${hub.id}`, reason),
    report_comment: keyed(jonas, `/reports/comments/${comment.id}`, reason),
    report_message: keyed(jonas, `/reports/messages/${message.id}`, reason),
    appeal_decision: keyed(jonas, `/moderation-decisions/${decision.id}/appeal`, { text }),
    create_hub: keyed(jonas, '/hubs', { name: `The ${word}`, description: text }),
    create_invitations: keyed(amara, `/hubs/${hub.id}/invitations`, {
      phoneNumbers: [newPhoneNumber(), newPhoneNumber()],
    }),
    accept_invitation: keyed(invited, `/hub-invitations/${invitation.id}/accept`),
    create_invite_link: keyed(amara, `/hubs/${hub.id}/invite-links`, {}),
    request_to_join: keyed(lena, `/hub-invite-links/${link.token}/join-requests`),
    approve_join_request: keyed(amara, `/hubs/${hub.id}/join-requests/${request.id}/approve`),
    save_discussion: keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/save`),
    create_message: keyed(jonas, `/hubs/${hub.id}/discussions/${discussion.id}/messages`, { text }),
  };
}
