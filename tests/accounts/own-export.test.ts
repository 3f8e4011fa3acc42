import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idsOf, type Json, refusal } from '../support/client.ts';
import { block } from '../support/graph.ts';
import { requestLeave } from '../support/hubs.ts';
import { inboxOf } from '../support/inbox.ts';
import { advanceTime } from '../support/opine.ts';
import { type AccountWithData, anAccountWithData, exportOf, requestExport } from '../support/own-data.ts';
import { aGuest, anonymousPerson, registeredPerson } from '../support/people.ts';
import { tokenHash } from '../support/pushes.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';

const MERGE = path.join(import.meta.dirname, '../../docs/decisions/006-merge.md');

/** The section of the export, by each exported column that holds the id of a user. */
const EXPORTED: Readonly<Record<string, string>> = {
  'app.users.id': 'account',
  'app.profiles.user_id': 'profile',
  'app.sessions.user_id': 'sessions',
  'app.device_tokens.user_id': 'deviceTokens',
  'app.contact_snapshots.user_id': 'contactSnapshot',
  'app.contacts.user_id': 'contacts',
  'app.default_feed_users.user_id': 'account',
  'app.hub_profiles.user_id': 'hubProfile',
  'app.memberships.user_id': 'hubMemberships',
  'app.hub_mutes.user_id': 'mutedHubs',
  'app.notification_preferences.user_id': 'notificationPreferences',
  'app.hub_invitations.inviter_id': 'sentInvitations',
  'app.join_requests.user_id': 'joinRequests',
  'app.messages.author_id': 'messages',
  'app.saved_discussions.user_id': 'savedDiscussions',
  'app.discussion_reads.user_id': 'discussionReads',
  'app.notifications.recipient_id': 'notifications',
  'app.follows.follower_id': 'following',
  'app.follows.followee_id': 'followers',
  'app.blocks.blocker_id': 'blocks',
  'app.comments.author_id': 'comments',
  'app.saved_posts.user_id': 'savedPosts',
  'app.feed_shares.user_id': 'feedShares',
  'app.placements.placed_by': 'hubPlacements',
  'app.reports.reporter_id': 'reports',
  'app.decision_subjects.user_id': 'moderationDecisions',
  'app.appeals.user_id': 'moderationDecisions',
  'app.removed_contents.author_id': 'moderationDecisions',
  'app.uploads.owner_id': 'uploads',
  'app.assets.owner_id': 'uploads',
  'app.articles.author_id': 'posts',
  'app.posts.author_id': 'reposts',
  'app.vote_receipts.user_id': 'votes',
};

/** The reason, by each column that is not exported. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'app.member_names.user_id': 'derived from profile and hubProfile',
  'app.events.actor_id': 'belongs to the inboxes of others',
  'app.events.subject_id': 'source of notifications',
  'app.notifications.actor_id': 'belongs to the inboxes of others',
  'app.notifications.author_id': 'belongs to the inboxes of others',
  'app.notifications.thread_author_id': 'belongs to the inboxes of others',
  'app.inbox_counts.user_id': 'counts notifications',
  'app.fan_outs.next_user_id': 'cursor of the worker',
  'app.fan_outs.until_user_id': 'cursor of the worker',
  'app.follow_counts.user_id': 'counts follows',
  'app.blocks.blocked_id': 'would reveal who blocks the user',
  'app.feed_events.actor_id': 'derived from posts, votes, comments and shares',
  'app.feed_changes.subject_id': 'derived from former follows, memberships, blocks and shares, for a day',
  'app.trending_activities.actor_id': 'derived from comments, reposts and feed shares, for 30 days',
  'app.invite_links.creator_id': 'belongs to the Hub, and goes with the membership',
  'app.reports.user_id': 'would reveal who reports the user',
  'app.evidence.author_id': 'would reveal that somebody reports the user',
  'app.stored_objects.owner_id': 'location of uploads',
  'app.fresh_votes.user_id': 'exact time of votes, until the next fold',
  'app.held_votes.user_id': 'votes that no feed shows yet',
  'app.suspended_memberships.user_id': 'memberships of Hubs that are hidden',
  'app.suspensions.user_id': 'a suspended user cannot sign in',
  'app.account_deletions.user_id': 'the account has ended',
  'app.account_deletions.merged_into_id': 'the account has ended',
  'app.rate_limits.subject': 'use of rate limits',
  'app.sign_in_places.user_id': 'keyed hashes of devices and addresses',
  'gateway.idempotent_answers.user_id': 'ids of what requests created, for a day',
};

let opine: OpineWithStorage;
let life: AccountWithData;
let data: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  life = await anAccountWithData(opine);
  data = await exportOf(life.maya);
});

afterAll(() => opine.stop());

const textOf = (value: Json) => JSON.stringify(value);

describe('GET /users/me/export', () => {
  // docs/product.md X1
  test('every column that holds the id of a user is exported or left out for a reason', () => {
    const decided = [...readFileSync(MERGE, 'utf8').matchAll(/^\| `([a-z_.]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect([...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)].sort()).toEqual(decided.sort());
  });

  test.each([...new Set(Object.values(EXPORTED))])('the section %s holds the data of the user', (section) => {
    const [first] = [data[section]].flat();
    expect(Object.keys(first ?? {})).not.toEqual([]);
  });

  // docs/product.md X1
  test('the export holds what the user stored', () => {
    const { maya, amara, liked, hub } = life;
    expect(data).toMatchObject({
      account: { id: maya.id, phoneNumber: maya.phoneNumber, isDefaultFeedUser: true },
      onboarding: { level: 4, completed: true },
      profile: { username: maya.username, fullName: 'Maya Lindqvist' },
      hubProfile: { displayName: 'Maya L.' },
      contacts: [{ name: 'Her Sister', hasThumbnail: false }],
      following: [{ userId: amara.id, publicPostsMuted: true }],
      hubMemberships: [{ hubId: hub.id, hubName: hub.name, role: 'member', contentMuted: true }],
      mutedHubs: [{ hubId: hub.id }],
      receivedInvitations: [{ hubId: hub.id, state: 'accepted' }],
      sentInvitations: [{ hubId: hub.id, state: 'pending' }],
      hubPlacements: [{ hubId: hub.id, kind: 'targeted' }],
      messages: [{ hubId: hub.id, text: 'Maya answers.' }],
      comments: [{ postId: liked.id, text: 'Maya says so.' }],
      reposts: [{ sourcePostId: liked.id, thoughtText: 'Maya on Amara.' }],
      posts: [
        { thoughtText: 'Maya among us.', visibility: 'private_locked_hub' },
        { thoughtText: 'What Maya thinks.', article: { title: 'What Maya read' } },
      ],
      reports: [{ postId: liked.id, details: 'Maya minds.' }],
      moderationDecisions: [
        {
          action: 'content_removed',
          reason: 'spam',
          statement: 'It sells pills.',
          target: { type: 'comment', excerpt: 'Maya sells pills.' },
          appeal: { state: 'open', text: 'Maya does not.', decidedAt: null },
          appealStatement: null,
          removedText: 'Maya sells pills.',
          removedAssetId: null,
          reversedAt: null,
        },
      ],
      incomplete: [],
    });
    expect(data.posts[1].article.assetIds).toEqual([data.uploads[0].assetId]);
  });

  // docs/product.md X3
  test('the export holds the minutes of votes and no positions', () => {
    const { postId, votedAt, ...rest } = data.votes[0];
    expect([data.votes.length, postId, rest]).toEqual([1, life.liked.id, {}]);
    expect(votedAt).toMatch(/:00\.000Z$/);
    expect(textOf(data)).not.toMatch(/strong_|"left"|"right"|position/);
  });

  // docs/product.md X2
  test('the export holds the notifications of the inbox and no words of others', async () => {
    expect(idsOf(data.notifications)).toEqual(idsOf((await inboxOf(life.maya)).items));
    expect(textOf(data)).not.toMatch(/Amara (talks|among us)|What Amara thinks/);
  });

  // docs/product.md X4
  test('the export holds no tokens and no hashes', async () => {
    const { session } = life.maya;
    const text = textOf(data);
    for (const secret of [life.deviceToken, session.refreshToken, session.accessToken]) {
      expect(text).not.toContain(secret);
      for (const form of ['hex', 'base64'] as const)
        expect(text).not.toContain(tokenHash(secret).toString(form));
    }
    expect(text).not.toMatch(/hash|sealed|token"|baseline/i);
  });

  // docs/product.md X1
  test('the export is an attachment that no cache stores', async () => {
    const { status, headers } = await requestExport(await anonymousPerson(opine));
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="opine.json"');
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('the export of an anonymous user holds their account alone, and a guest gets 401', async () => {
    const anonymous = await anonymousPerson(opine);
    const { exportedAt, account, onboarding, sessions, incomplete, ...rest } = await exportOf(anonymous);
    expect(account).toMatchObject({ id: anonymous.id, phoneNumber: null });
    expect(onboarding).toMatchObject({ level: 1 });
    expect(sessions).toMatchObject([{ isCurrent: true }]);
    expect([...new Set(Object.values(rest).map(textOf))].sort()).toEqual(['[]', 'null']);
    expect(await requestExport(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a fourth export of a day gets 429, and other users are not affected', async () => {
    const [maya, jonas] = [await anonymousPerson(opine), await anonymousPerson(opine)];
    for (const _ of [1, 2, 3]) expect((await requestExport(maya)).status).toBe(200);
    expect(await requestExport(maya)).toMatchObject(refusal(429, 'RATE_LIMITED'));
    expect((await requestExport(jonas)).status).toBe(200);
  });

  // docs/product.md X4
  test('an export that exceeds the limit of an answer names its incomplete sections', async () => {
    const maya = await registeredPerson(opine);
    await sql`
      insert into app.reports (reporter_id, comment_id, reason, details, created_at)
      select ${maya.id}, app.uuid_v7(), 'spam', repeat('👍', 1000), app.now() + make_interval(secs => place)
      from generate_series(1, 2200) as place`.execute(opine.database.superuser);
    const { reports, incomplete, sessions } = await exportOf(maya);
    expect(incomplete).toEqual(['reports']);
    expect(reports.length).toBeGreaterThan(1800);
    expect(reports.length).toBeLessThan(2200);
    expect(reports[0].createdAt > reports.at(-1).createdAt).toBe(true);
    expect(sessions).toHaveLength(1);
  });

  // docs/product.md P21, X2
  test('the export does not reveal who blocks the user', async () => {
    const { maya, amara } = await anAccountWithData(opine);
    const lena = await registeredPerson(opine);
    const before = await exportOf(maya);
    await block(lena, maya);
    await block(amara, maya);
    const after = await exportOf(maya);
    expect(textOf(after)).not.toContain(lena.id);
    expect(textOf(after)).not.toContain(amara.id);
    // A block hides follow and invitation in the app as well.
    expect(after).toEqual({
      ...before,
      exportedAt: after.exportedAt,
      following: [],
      receivedInvitations: [],
      notifications: after.notifications,
    });
    expect(after.notifications).not.toEqual([]);
  });

  // docs/product.md X2
  test('the export of a former member holds their own words in the Hub and none of others', async () => {
    const { maya, hub, discussion } = await anAccountWithData(opine);
    await requestLeave(maya, hub);
    await advanceTime(opine, '1 second');
    const left = await exportOf(maya);
    expect(left).toMatchObject({
      hubMemberships: [],
      mutedHubs: [{ hubId: hub.id }],
      savedDiscussions: [{ discussionId: discussion.id }],
      discussionReads: [{ discussionId: discussion.id }],
      messages: [{ hubId: hub.id, text: 'Maya answers.' }],
      hubPlacements: [{ hubId: hub.id }],
      sentInvitations: [{ hubId: hub.id }],
    });
    expect(textOf(left)).not.toMatch(/Amara (talks|among us)/);
    expect(textOf(left)).not.toContain(discussion.postId);
  });
});
