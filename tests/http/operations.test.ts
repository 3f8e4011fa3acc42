import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import type { Json, Reply } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, personOfLevel } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

type Route = (typeof ROUTES)[number];

/** All operations of the API: method, path, status, and the level that a caller needs or how it takes a bearer. */
const CONTRACT = [
  'GET /auth/login-config 200 none',
  'POST /auth/otp/request 200 none',
  'POST /auth/otp/verify 200 checked',
  'POST /auth/idp/token 200 checked',
  'POST /auth/anonymous/session 200 none',
  'POST /auth/session/refresh 200 none',
  'POST /auth/logout 200 1',
  'DELETE /users/me 200 1',
  'POST /users/me/phone/request 200 3',
  'POST /users/me/phone/verify 200 3',
  'GET /users/me/sessions 200 1',
  'DELETE /users/me/sessions/{sessionId} 200 1',
  'GET /users/me/export 200 1',
  'GET /users/me/blocks 200 1',
  'GET /users/me/onboarding/status 200 1',
  'PUT /users/me/onboarding/profile-basics 200 1',
  'PUT /users/me/onboarding/media 200 2',
  'PUT /users/me/onboarding/contacts 200 3',
  'PUT /users/me/contact-sync/uploads/{uploadId} 200 1',
  'POST /users/handles/availability 200 1',
  'POST /uploads/presign 200 1',
  'POST /uploads/complete 201 1',
  'GET /uploads/{assetId}/download-url 200 1',
  'POST /uploads/download-urls 200 optional',
  'GET /users/by-username/{username} 200 optional',
  'GET /users/{userId}/profile 200 checked',
  'GET /users/me/profile 200 1',
  'PATCH /users/me/profile 200 2',
  'GET /users/me/hub-profile 200 4',
  'PATCH /users/me/hub-profile 200 4',
  'GET /users/{userId}/followers 200 1',
  'GET /users/{userId}/following 200 1',
  'POST /users/{userId}/follow 200 2',
  'DELETE /users/{userId}/follow 200 2',
  'PATCH /users/{userId}/notification-settings 200 2',
  'POST /users/{userId}/block 200 1',
  'DELETE /users/{userId}/block 200 1',
  'GET /search/users 200 optional',
  'GET /users/me/hubs 200 1',
  'GET /search/hubs 200 1',
  'POST /hubs 201 4',
  'GET /hubs/{hubId} 200 1',
  'PATCH /hubs/{hubId} 200 4',
  'PATCH /hubs/{hubId}/link 200 4',
  'DELETE /hubs/{hubId} 200 4',
  'DELETE /hubs/{hubId}/posts/{postId} 200 4',
  'DELETE /hubs/{hubId}/membership 200 4',
  'GET /hubs/{hubId}/members 200 4',
  'POST /hubs/{hubId}/members/{userId}/remove 200 4',
  'GET /hubs/{hubId}/admins 200 4',
  'POST /hubs/{hubId}/admins 200 4',
  'DELETE /hubs/{hubId}/admins/{userId} 200 4',
  'POST /hubs/{hubId}/invitations 201 4',
  'GET /hubs/{hubId}/invitations 200 4',
  'GET /hub-invitations/by-token/{token} 200 optional',
  'POST /hub-invitations/{invitationId}/accept 200 4',
  'POST /hub-invitations/{invitationId}/decline 200 1',
  'POST /hubs/{hubId}/invite-links 201 4',
  'GET /hubs/{hubId}/invite-links 200 4',
  'DELETE /hubs/{hubId}/invite-links/{inviteLinkId} 200 4',
  'GET /hub-invite-links/{token} 200 optional',
  'POST /hub-invite-links/{token}/join-requests 201 4',
  'GET /hubs/{hubId}/join-requests 200 4',
  'POST /hubs/{hubId}/join-requests/{requestId}/approve 200 4',
  'POST /hubs/{hubId}/join-requests/{requestId}/reject 200 4',
  'DELETE /hubs/{hubId}/join-requests/{requestId} 200 1',
  'GET /hubs/{hubId}/notification-settings 200 4',
  'PATCH /hubs/{hubId}/notification-settings 200 4',
  'GET /hubs/{hubId}/feed 200 4',
  'GET /hubs/{hubId}/discussions 200 4',
  'POST /hubs/{hubId}/discussions/{discussionId}/save 200 4',
  'DELETE /hubs/{hubId}/discussions/{discussionId}/save 200 4',
  'POST /hubs/{hubId}/discussions/{discussionId}/read 200 4',
  'GET /hubs/{hubId}/discussions/{discussionId}/messages 200 4',
  'POST /hubs/{hubId}/discussions/{discussionId}/messages 201 4',
  'DELETE /hubs/{hubId}/discussions/{discussionId}/messages/{messageId} 200 4',
  'GET /users/me/saved-discussions 200 1',
  'GET /posts 200 optional',
  'POST /posts 201 3',
  'GET /posts/{postId} 200 optional',
  'DELETE /posts/{postId} 200 1',
  'POST /posts/{postId}/reposts 201 3',
  'GET /posts/{postId}/frames 200 optional',
  'GET /search/posts 200 optional',
  'GET /users/{userId}/feed 200 optional',
  'GET /posts/{postId}/comments 200 optional',
  'POST /posts/{postId}/comments 201 2',
  'DELETE /comments/{commentId} 200 1',
  'POST /posts/{postId}/vote 201 2',
  'GET /posts/{postId}/vote/me 200 2',
  'GET /posts/{postId}/vote/summary 200 optional',
  'GET /posts/{postId}/vote/distribution 200 optional',
  'GET /posts/{postId}/vote/hubs 200 optional',
  'POST /posts/{postId}/share/feed 201 2',
  'POST /posts/{postId}/share/hubs 201 4',
  'GET /posts/{postId}/share-link 200 2',
  'POST /posts/{postId}/save 200 2',
  'DELETE /posts/{postId}/save 200 2',
  'GET /users/me/saved-posts 200 2',
  'GET /notifications 200 1',
  'PATCH /notifications/read 200 1',
  'GET /notifications/stream 200 1',
  'GET /users/me/notification-preferences 200 2',
  'PATCH /users/me/notification-preferences 200 2',
  'POST /notifications/device-tokens 200 2',
  'DELETE /notifications/device-tokens 200 1',
  'POST /reports/users/{userId} 201 1',
  'POST /reports/posts/{postId} 201 1',
  'POST /reports/comments/{commentId} 201 1',
  'POST /reports/hubs/{hubId} 201 1',
  'POST /reports/messages/{messageId} 201 1',
  'GET /users/me/reports 200 1',
  'GET /users/me/moderation-decisions 200 1',
  'POST /moderation-decisions/{decisionId}/appeal 201 1',
  'POST /moderation-appeals 201 none',
  'GET /admin/auth/config 200 none',
  'POST /admin/auth/idp 200 none',
  'GET /admin/auth/session 200 staff',
  'POST /admin/auth/logout 200 staff',
  'GET /admin/reports 200 staff',
  'GET /admin/closed-reports 200 staff',
  'POST /admin/reports/{reportId}/claim 200 staff',
  'POST /admin/reports/{reportId}/release 200 staff',
  'POST /admin/reports/{reportId}/dismiss 200 staff',
  'POST /admin/reports/{reportId}/remove 200 staff',
  'POST /admin/reports/{reportId}/media 200 staff',
  'GET /admin/appeals 200 staff',
  'POST /admin/appeals/{decisionId}/decide 200 staff',
  'POST /admin/posts/{postId}/why-visible 200 staff',
  'POST /admin/accounts/find 200 staff',
  'GET /admin/users/{userId}/history 200 staff',
  'POST /admin/users/{userId}/unmask 200 staff',
  'POST /admin/users/{userId}/suspend 200 staff',
  'POST /admin/users/{userId}/restore 200 staff',
  'POST /admin/hubs/{hubId}/suspend 200 staff',
  'POST /admin/hubs/{hubId}/restore 200 staff',
  'GET /admin/staff 200 staff',
  'POST /admin/staff/admit 200 staff',
  'POST /admin/staff/dismiss 200 staff',
  'GET /admin/audit-log 200 staff',
  'GET /admin/numbers 200 staff',
  'GET /admin/default-feed-users 200 staff',
  'POST /admin/default-feed-users/add 200 staff',
  'POST /admin/default-feed-users/remove 200 staff',
  'GET /admin/blocked-terms 200 staff',
  'POST /admin/blocked-terms/add 200 staff',
  'POST /admin/blocked-terms/remove 200 staff',
  'GET /admin/dead-letters 200 staff',
  'POST /admin/dead-letters/{deadLetterId}/requeue 200 staff',
  'GET /admin/health 200 staff',
];

let opine: Opine;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  post = await aSlider(await confirmedPerson(opine));
});

afterAll(() => opine.stop());

const methodOf = ({ method }: Route) => method.toUpperCase();

/** Calls an operation with its example as a new person of `level`. */
async function callAs(level: number, route: Route): Promise<Reply> {
  const caller = await personOfLevel(level, opine);
  const path = route.path.replaceAll(/\{\w+\}/g, post.id);
  const { body } = route.example;
  if (body === undefined) return caller.send(methodOf(route), path);
  const headers = { 'content-type': 'application/json' };
  return caller.send(methodOf(route), path, JSON.stringify(body), { headers });
}

// docs/product.md L1, W4
test('the API has exactly these operations, each with its status and level', () => {
  const operations = ROUTES.map((route) => {
    const access = route.auth === 'required' ? (route.level ?? 1) : route.auth;
    return `${methodOf(route)} ${route.path} ${route.status} ${access}`;
  });
  expect(operations.sort()).toEqual(CONTRACT.toSorted());
});

describe('the schema api', () => {
  test('the schema api has a function for each operation and no other', async () => {
    const { rows } = await sql<{ signature: string }>`
      select format('%s(%s)', proname, pg_get_function_identity_arguments(oid)) as signature
      from pg_proc where pronamespace = 'api'::regnamespace`.execute(opine.database.superuser);
    const names = ROUTES.filter(({ gateway }) => gateway !== 'none').map(({ id }) => `${id}(jsonb)`);
    expect(rows.map(({ signature }) => signature).sort()).toEqual(names.sort());
  });

  test('PUBLIC cannot execute any api function', async () => {
    const { rows } = await sql<{ proname: string }>`
      select proname from pg_proc
      where pronamespace = 'api'::regnamespace and has_function_privilege('public', oid, 'execute')`.execute(
      opine.database.superuser,
    );
    expect(rows).toEqual([]);
  });
});

const bearerNeeded = ROUTES.filter(({ auth }) => auth === 'required');
const refusesSomeLevel = bearerNeeded.filter(({ level = 1 }) => level > 1);
const openToGuests = ROUTES.filter(({ auth }) => ['none', 'optional', 'checked'].includes(auth));
const forStaff = ROUTES.filter(({ auth }) => auth === 'staff');

describe('access', () => {
  test.for(bearerNeeded)('$id returns 401 without a bearer', async (route) => {
    expect((await callAs(0, route)).status).toBe(401);
  });

  // docs/product.md L1, L3
  test.for(refusesSomeLevel)('$id returns 403 to a caller one level too low', async (route) => {
    const { level = 1 } = route;
    const { status, error } = await callAs(level - 1, route);
    expect({ status, ...error }).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      details: { requiredLevel: level, level: level - 1 },
    });
  });

  // docs/product.md L1
  test.for(bearerNeeded)('$id accepts a caller of its own level', async (route) => {
    const { status, error } = await callAs(route.level ?? 1, route);
    // The refresh token of the example does not exist.
    expect([status, route.id]).not.toEqual([401, route.id === 'log_out' ? '' : route.id]);
    expect(error?.details ?? {}).not.toHaveProperty('requiredLevel');
  });

  test.for(forStaff)('$id returns 401 to app users of every level', async (route) => {
    for (const level of [0, 1, 3]) expect((await callAs(level, route)).status).toBe(401);
  });

  test.for(openToGuests)('$id accepts a guest', async (route) => {
    const { error } = await callAs(0, route);
    // The tokens of these examples do not exist, so 401 is right here.
    if (!['refresh_session', 'appeal_suspension'].includes(route.id))
      expect(error?.code).not.toBe('UNAUTHORIZED');
    expect(error?.code).not.toBe('FORBIDDEN');
  });
});
