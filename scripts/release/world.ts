import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Asset, UploadPurpose } from '../../clients/typescript/src/index.ts';
import { ROOT } from '../db/paths.ts';
import { type DemoUser, signUp } from '../demo/users.ts';
import { withClient } from '../local/connection.ts';

/** The secrets of a database that is filled for a release. */
export const RELEASE_SECRETS = {
  HASH_SECRET: 'everybody may know the secret of this database',
  PENDING_VOTE_KEY: Buffer.alloc(32, 'and this key').toString('base64'),
};

/** Ada, Ben and Cem use everything; Dia reports, Eve ends her account, Fay is suspended. */
const NAMES = ['Ada', 'Ben', 'Cem', 'Dia', 'Eve', 'Fay'] as const;
type People = Record<(typeof NAMES)[number], DemoUser>;

/** What the steps share. */
interface World {
  readonly people: People;
  readonly hubId: string;
  /** Public with a slider and in no Hub, so votes of members wait for a share. */
  readonly questionId: string;
}

/**
 * Fills a database through the API, by people whose names are those of the usernames.
 * @param databaseUrl of the superuser, who acts for staff
 */
export async function fill(url: string, databaseUrl: string): Promise<World> {
  const people = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await signUp(url, name)])),
  ) as People;
  await describeOneself(people);
  await follow(people);
  const hubId = await openHub(people);
  const { questionId, commentId } = await publish(people, hubId);
  await discuss(people, hubId);
  await moderate(people, commentId, databaseUrl);
  return { people, hubId, questionId };
}

/** Leaves work for the worker, which must not run: votes, events and an ended account. */
export async function leaveWork({ people, questionId }: World): Promise<void> {
  const { Ada, Ben, Cem, Eve } = people;
  const params = { path: { postId: questionId } };
  for (const [{ opine }, position] of [
    [Ada, 'left'],
    [Ben, 'right'],
    [Cem, 'right'],
  ] as const) {
    await opine.post('/posts/{postId}/vote', { params, body: { position } });
  }
  await Ben.opine.post('/posts/{postId}/comments', { params, body: { text: 'Not yet seen.' } });
  await Eve.opine.delete('/users/me');
}

async function describeOneself({ Ada, Ben }: People): Promise<void> {
  const { assetId: profileAssetId } = await upload(Ada, 'profile_photo');
  await Ada.opine.patch('/users/me/profile', { body: { profileAssetId, bio: 'Ada asks.' } });
  await Ada.opine.patch('/users/me/hub-profile', { body: { displayName: 'Ada of the corner' } });
  const { snapshot } = await Ben.opine.put('/users/me/onboarding/contacts', {
    body: { permission: 'granted', contactCount: 1 },
  });
  if (snapshot === null) throw new Error('No upload of contacts was opened.');
  await Ben.opine.put('/users/me/contact-sync/uploads/{uploadId}', {
    params: { path: { uploadId: snapshot.uploadId } },
    body: { contacts: [{ name: 'Ada', phoneNumbers: [Ada.phoneNumber] }] },
  });
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
  await Ben.opine.patch('/users/me/notification-preferences', {
    body: { push: { post_voted: false }, quietHours },
  });
}

async function follow({ Ada, Ben, Cem, Dia, Fay }: People): Promise<void> {
  const follows = [
    [Ada, Ben],
    [Ben, Ada],
    [Cem, Ada],
    [Fay, Ada],
  ] as const;
  for (const [follower, { id: userId }] of follows) {
    await follower.opine.post('/users/{userId}/follow', { params: { path: { userId } } });
  }
  const body = { publicPostsMuted: true };
  await Cem.opine.patch('/users/{userId}/notification-settings', {
    params: { path: { userId: Ada.id } },
    body,
  });
  await Cem.opine.post('/users/{userId}/block', { params: { path: { userId: Dia.id } } });
}

/** Ben and Fay are members by link, Cem asks to be one, Dia is invited. */
async function openHub({ Ada, Ben, Cem, Dia, Fay }: People): Promise<string> {
  const { id: hubId } = await Ada.opine.post('/hubs', { body: { name: 'The corner' } });
  const params = { path: { hubId } };
  const { token } = await Ada.opine.post('/hubs/{hubId}/invite-links', { params, body: { maxUses: 5 } });
  for (const { opine } of [Ben, Fay, Cem]) {
    await opine.post('/hub-invite-links/{token}/join-requests', { params: { path: { token } } });
  }
  const { items } = await Ada.opine.get('/hubs/{hubId}/join-requests', { params });
  for (const { id: requestId } of items.filter(({ user }) => user.userId !== Cem.id)) {
    await Ada.opine.post('/hubs/{hubId}/join-requests/{requestId}/approve', {
      params: { path: { hubId, requestId } },
    });
  }
  const body = { phoneNumbers: [Dia.phoneNumber] };
  await Ada.opine.post('/hubs/{hubId}/invitations', { params, body });
  await Ada.opine.post('/hubs/{hubId}/admins', { params, body: { userId: Ben.id, role: 'manager' } });
  await Fay.opine.patch('/hubs/{hubId}/notification-settings', { params, body: { contentMuted: true } });
  return hubId;
}

/** @returns the question, and Fay's comment on it */
async function publish(
  { Ada, Ben, Fay }: People,
  hubId: string,
): Promise<{ questionId: string; commentId: string }> {
  const picture = await upload(Ada, 'post_image');
  const question = await Ada.opine.post('/posts', {
    body: {
      visibility: 'public',
      article: { title: 'The corner', text: 'A picture of it.', assetIds: [picture.assetId] },
      sliderText: 'Is it too loud?',
    },
  });
  const params = { path: { postId: question.id } };
  const body = { visibility: 'public', thoughtText: 'Hear, hear.' } as const;
  await Ben.opine.post('/posts/{postId}/reposts', { params, body });
  await Fay.opine.post('/posts/{postId}/vote', { params, body: { position: 'neutral' } });
  const advert = await Fay.opine.post('/posts/{postId}/comments', {
    params,
    body: { text: 'Buy my earplugs.' },
  });
  await Ben.opine.post('/posts/{postId}/share/feed', { params });
  await Ben.opine.post('/posts/{postId}/save', { params });
  const members = await Ada.opine.post('/posts', {
    body: { visibility: 'private_locked_hub', hubIds: [hubId], sliderText: 'Tuesday or Thursday?' },
  });
  const path = { postId: members.id };
  await Ben.opine.post('/posts/{postId}/vote', { params: { path }, body: { position: 'strong_left' } });
  const shared = await Ben.opine.post('/posts', {
    body: { visibility: 'public', thoughtText: 'Come over.' },
  });
  await Ada.opine.post('/posts/{postId}/share/hubs', {
    params: { path: { postId: shared.id } },
    body: { hubIds: [hubId] },
  });
  return { questionId: question.id, commentId: advert.id };
}

async function discuss({ Ada, Ben }: People, hubId: string): Promise<void> {
  const { items } = await Ben.opine.get('/hubs/{hubId}/discussions', { params: { path: { hubId } } });
  const [discussion] = items;
  if (discussion === undefined) throw new Error('The Hub has no discussion.');
  const params = { path: { hubId, discussionId: discussion.id } };
  const { id } = await Ben.opine.post('/hubs/{hubId}/discussions/{discussionId}/messages', {
    params,
    body: { text: 'On Thursday I cannot.' },
  });
  await Ada.opine.post('/hubs/{hubId}/discussions/{discussionId}/messages', {
    params,
    body: { text: 'Then Tuesday.', parentMessageId: id },
  });
  await Ada.opine.post('/hubs/{hubId}/discussions/{discussionId}/read', { params });
  await Ada.opine.post('/hubs/{hubId}/discussions/{discussionId}/save', { params });
}

/** Staff removes a comment of Fay's, who appeals, and suspends her, and a Hub; another report waits. */
async function moderate(
  { Ada, Cem, Dia, Fay }: People,
  commentId: string,
  databaseUrl: string,
): Promise<void> {
  const body = { reason: 'spam' } as const;
  const params = { path: { commentId } };
  const { reportId } = await Dia.opine.post('/reports/comments/{commentId}', { params, body });
  const other = await Dia.opine.post('/reports/users/{userId}', {
    params: { path: { userId: Ada.id } },
    body,
  });
  const { id: loudHubId } = await Cem.opine.post('/hubs', { body: { name: 'The loud corner' } });
  await withClient(databaseUrl, async (staff) => {
    await staff.query(
      `insert into staff.allowed_emails (email, role) values ('staff@opine.example', 'admin')`,
    );
    await staff.query('set role staff_admin');
    await staff.query(`select staff.claim_report($1)`, [reportId]);
    await staff.query(`select staff.remove_content($1, 'spam', 'An advertisement.')`, [reportId]);
    await staff.query(`select staff.add_blocked_term('cheap earplugs', 'Many adverts')`);
    const { items } = await Fay.opine.get('/users/me/moderation-decisions');
    for (const { id: decisionId } of items) {
      await Fay.opine.post('/moderation-decisions/{decisionId}/appeal', {
        params: { path: { decisionId } },
        body: { text: 'They were a gift.' },
      });
    }
    await staff.query(`select staff.suspend_user($1, 'spam', 'More advertisements.')`, [Fay.id]);
    await staff.query(`select staff.suspend_hub($1, 'harassment', 'It is loud.')`, [loudHubId]);
    await staff.query(`select staff.claim_report($1)`, [other.reportId]);
  });
}

/** Uploads a picture of the documentation. */
async function upload({ opine }: DemoUser, purpose: UploadPurpose): Promise<Asset> {
  const file = new Blob([readFileSync(path.join(ROOT, 'docs/pictures/web-app.png'))], { type: 'image/png' });
  return opine.upload(file, { purpose });
}
