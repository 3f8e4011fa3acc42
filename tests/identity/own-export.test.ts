import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { hashOf } from '../support/devices.ts';
import { block, idsOf } from '../support/graph.ts';
import { requestLeave } from '../support/hubs.ts';
import { inboxOf } from '../support/inbox.ts';
import { aFullLife, exportOf, type FullLife, requestExport } from '../support/own-data.ts';
import { aGuest, anAnonymous, aRegistered } from '../support/people.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';

const MERGE = path.join(import.meta.dirname, '../../docs/decisions/006-merge.md');

/** In which section of the export it is, by each column that holds the id of a user. */
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
  'app.hub_invitations.inviter_id': 'sentInvitations',
  'app.join_requests.user_id': 'joinRequests',
  'app.messages.author_id': 'messages',
  'app.saved_discussions.user_id': 'savedDiscussions',
  'app.notifications.recipient_id': 'notifications',
  'app.follows.follower_id': 'following',
  'app.follows.followee_id': 'followers',
  'app.blocks.blocker_id': 'blocks',
  'app.comments.author_id': 'comments',
  'app.saved_posts.user_id': 'savedPosts',
  'app.feed_shares.user_id': 'feedShares',
  'app.placements.placed_by': 'hubPlacements',
  'app.reports.reporter_id': 'reports',
  'app.uploads.owner_id': 'uploads',
  'app.assets.owner_id': 'uploads',
  'app.articles.author_id': 'posts',
  'app.posts.author_id': 'reposts',
  'app.vote_receipts.user_id': 'votes',
};

/** Why it is not, of the others. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'app.member_names.user_id': 'made of profile and hubProfile',
  'app.events.actor_id': "others' inboxes",
  'app.events.subject_id': 'what notifications are made of',
  'app.notifications.actor_id': "others' inboxes",
  'app.notifications.author_id': "others' inboxes",
  'app.inbox_counts.user_id': 'counted from notifications',
  'app.fan_outs.after_user_id': 'a place in the order of ids',
  'app.follow_counts.user_id': 'counted from follows',
  'app.blocks.blocked_id': 'who blocks somebody is not theirs to know',
  'app.feed_events.actor_id': 'made of posts, votes, comments and shares',
  'app.former_sources.user_id': 'for a day, of former follows and memberships',
  'app.reports.user_id': 'who reports somebody is not theirs to know',
  'app.stored_objects.owner_id': 'where uploads lie',
  'app.fresh_votes.user_id': 'until the next fold, of votes, whose time it knows too well',
  'app.suspended_memberships.user_id': 'of Hubs that are there for nobody meanwhile',
  'app.suspensions.user_id': 'nobody signs in to a suspended account',
  'app.account_deletions.user_id': 'of accounts that have ended',
  'app.account_deletions.merged_into_id': 'of accounts that have ended',
  'app.rate_limits.subject': 'how much of limits is used',
  'gateway.idempotent_answers.user_id': 'for a day, what was answered',
};

let opine: StoringOpine;
let life: FullLife;
let data: Json;

beforeAll(async () => {
  opine = await startStoringOpine();
  life = await aFullLife(opine);
  data = await exportOf(life.maya);
});

afterAll(() => opine.stop());

/** What was said and written, wherever it is in an export. */
const textOf = (value: Json) => JSON.stringify(value);

describe('an export', () => {
  test('answers for every column that holds the id of a user', () => {
    const decided = [...readFileSync(MERGE, 'utf8').matchAll(/^\| `([a-z_.]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect([...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)].sort()).toEqual(decided.sort());
  });

  test.each([...new Set(Object.values(EXPORTED))])('has %s of whoever has any', (section) => {
    const [first] = [data[section]].flat();
    expect(Object.keys(first ?? {})).not.toEqual([]);
  });

  test('says what is stored', () => {
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
      incomplete: [],
    });
    expect(data.posts[1].article.assetIds).toEqual([data.uploads[0].assetId]);
  });

  test('knows that somebody voted and in which minute, and no position', () => {
    const { postId, votedAt, ...rest } = data.votes[0];
    expect([data.votes.length, postId, rest]).toEqual([1, life.liked.id, {}]);
    expect(votedAt).toMatch(/:00\.000Z$/);
    expect(textOf(data)).not.toMatch(/strong_|"left"|"right"|position/);
  });

  test("has the inbox as it is, and nobody else's words", async () => {
    expect(idsOf(data.notifications)).toEqual(idsOf((await inboxOf(life.maya)).items));
    expect(textOf(data)).not.toMatch(/Amara (talks|among us)|What Amara thinks/);
  });

  test('holds no secret', async () => {
    const { session } = life.maya;
    const text = textOf(data);
    for (const secret of [life.deviceToken, session.refreshToken, session.accessToken]) {
      expect(text).not.toContain(secret);
      for (const form of ['hex', 'base64'] as const)
        expect(text).not.toContain(hashOf(secret).toString(form));
    }
    expect(text).not.toMatch(/hash|sealed|token"|baseline/i);
  });

  test('comes as a file that nobody keeps in between', async () => {
    const { status, headers } = await requestExport(await anAnonymous(opine));
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="opine.json"');
    expect(headers.get('cache-control')).toContain('no-store');
  });
});

test('of somebody anonymous it is who they are, and nothing of anybody else', async () => {
  const anonymous = await anAnonymous(opine);
  const { exportedAt, account, onboarding, sessions, incomplete, ...rest } = await exportOf(anonymous);
  expect(account).toMatchObject({ id: anonymous.id, phoneNumber: null });
  expect(onboarding).toMatchObject({ level: 1 });
  expect(sessions).toMatchObject([{ isCurrent: true }]);
  expect([...new Set(Object.values(rest).map(textOf))].sort()).toEqual(['[]', 'null']);
  expect(await requestExport(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
});

test('three a day are free, each for themselves', async () => {
  const [maya, jonas] = [await anAnonymous(opine), await anAnonymous(opine)];
  for (const _ of [1, 2, 3]) expect((await requestExport(maya)).status).toBe(200);
  expect(await requestExport(maya)).toMatchObject(refusal(429, 'RATE_LIMITED'));
  expect((await requestExport(jonas)).status).toBe(200);
});

test('there is no more in it than an answer holds, and it says so', async () => {
  const maya = await aRegistered(opine);
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

describe('whoever', () => {
  test('is blocked does not learn it, though what they did stays theirs', async () => {
    const { maya, amara } = await aFullLife(opine);
    const stranger = await aRegistered(opine);
    const before = await exportOf(maya);
    await block(stranger, maya);
    await block(amara, maya);
    const after = await exportOf(maya);
    expect(textOf(after)).not.toContain(stranger.id);
    expect(textOf(after)).not.toContain(amara.id);
    // What a block takes away, it takes away here as in the app.
    expect(after).toEqual({
      ...before,
      exportedAt: after.exportedAt,
      following: [],
      receivedInvitations: [],
      notifications: after.notifications,
    });
    expect(after.notifications).not.toEqual([]);
  });

  test('has left a Hub has their own words of it, and the ids of what they saved and muted', async () => {
    const { maya, hub, discussion } = await aFullLife(opine);
    await requestLeave(maya, hub);
    await timePasses(opine, '1 second');
    const left = await exportOf(maya);
    expect(left).toMatchObject({
      hubMemberships: [],
      mutedHubs: [{ hubId: hub.id }],
      savedDiscussions: [{ discussionId: discussion.id }],
      messages: [{ hubId: hub.id, text: 'Maya answers.' }],
      hubPlacements: [{ hubId: hub.id }],
      sentInvitations: [{ hubId: hub.id }],
    });
    expect(textOf(left)).not.toMatch(/Amara (talks|among us)/);
    expect(textOf(left)).not.toContain(discussion.postId);
  });
});
