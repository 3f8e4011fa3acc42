import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERRORS } from '../../src/contract/errors.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { listErrors } from '../../src/http/operation.ts';
import type { Json, Reply } from '../support/client.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, registeredPerson } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

type Operation = (typeof ROUTES)[number];

const SECURITY: Record<string, Json[]> = {
  none: [],
  optional: [{}, { bearer: [] }],
  checked: [{}, { bearer: [] }],
  required: [{ bearer: [] }],
  staff: [{ staff: [] }],
};

let opine: Opine;
let document: ApiDocument;

beforeAll(async () => {
  opine = await startOpine();
  document = await readDocument(opine.url);
});

afterAll(() => opine.stop());

/** Returns the OpenAPI description of an operation. */
function operationOf(route: Operation | undefined): Json {
  return route && document.paths[route.path]?.[route.method];
}

test('the OpenAPI document has every operation and no other', () => {
  const documented = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  expect(documented.sort()).toEqual(ROUTES.map(({ id, method, path }) => `${id} ${method} ${path}`).sort());
});

test.for(ROUTES)(
  'the OpenAPI document describes the security, parameters, body and statuses of $id',
  (route) => {
    const { summary, security, parameters = [], requestBody, responses } = operationOf(route);
    expect(summary).toMatch(/\w/);
    expect(new Set(security)).toEqual(new Set(SECURITY[route.auth]));
    const inPath = parameters.filter((parameter: Json) => parameter.in === 'path');
    expect(inPath.map(({ name }: Json) => name)).toEqual(Object.keys(route.params ?? {}));
    expect(requestBody !== undefined).toBe(route.body !== undefined);

    const statuses = [route.status, ...listErrors(route).map((code) => ERRORS[code].status)];
    expect(Object.keys(responses).sort()).toEqual([...new Set(statuses.map(String))].sort());
    for (const code of listErrors(route)) {
      const { examples } = responses[ERRORS[code].status].content['application/json'];
      expect(examples[code].value.error.code).toBe(code);
    }
  },
);

test.for(ROUTES)('the OpenAPI examples of $id match their schemas', (route) => {
  const { requestBody, responses } = operationOf(route);
  const contents = [requestBody, ...Object.values<Json>(responses)].filter(Boolean);
  for (const { content } of contents) {
    // An event stream is described by its own media type.
    const { schema, example, examples = {} } = content['application/json'] ?? content['text/event-stream'];
    const values = [example, ...Object.values<Json>(examples).map(({ value }) => value)].filter(Boolean);
    expect(values).not.toHaveLength(0);
    for (const value of values) expect(document.problemsOf(schema, value)).toEqual([]);
  }
});

// docs/product.md W22
test('every error that SQL raises has the status of the error catalogue', async () => {
  const { rows } = await sql<{ code: string; status: number }>`
    select distinct raised[2] as code, raised[1]::integer as status
    from pg_proc
    cross join regexp_matches(prosrc, ${"errcode = 'PT(\\d+)', message = '(\\w+)'"}, 'g') as raised
    where pronamespace::regnamespace::text in ('app', 'api', 'gateway', 'staff')`.execute(
    opine.database.superuser,
  );
  expect(rows.length).toBeGreaterThan(30);
  for (const { code, status } of rows) expect(ERRORS).toHaveProperty(`${code}.status`, status);
});

/** Every error code, by status. */
const CODES: Record<number, string[]> = {
  400: ['OTP_INVALID', 'OTP_EXPIRED'],
  401: ['UNAUTHORIZED'],
  403: ['FORBIDDEN', 'ACCOUNT_SUSPENDED', 'VOTE_NOT_ALLOWED', 'CAPTCHA_REQUIRED'],
  404: [
    'ROUTE_NOT_FOUND',
    'USER_NOT_FOUND',
    'SESSION_NOT_FOUND',
    'FOLLOW_NOT_FOUND',
    'POST_NOT_FOUND',
    'COMMENT_NOT_FOUND',
    'UPLOAD_NOT_FOUND',
    'ASSET_NOT_FOUND',
    'HUB_NOT_FOUND',
    'MEMBER_NOT_FOUND',
    'INVITATION_NOT_FOUND',
    'INVITE_LINK_NOT_FOUND',
    'JOIN_REQUEST_NOT_FOUND',
    'DISCUSSION_NOT_FOUND',
    'MESSAGE_NOT_FOUND',
    'NOTIFICATION_NOT_FOUND',
    'REPORT_NOT_FOUND',
    'DECISION_NOT_FOUND',
    'APPEAL_NOT_FOUND',
    'TERM_NOT_FOUND',
    'DEAD_LETTER_NOT_FOUND',
  ],
  405: ['METHOD_NOT_ALLOWED'],
  409: [
    'HANDLE_TAKEN',
    'PHONE_TAKEN',
    'ALREADY_FOLLOWING',
    'CANNOT_FOLLOW_SELF',
    'CANNOT_BLOCK_SELF',
    'VOTE_ALREADY_CAST',
    'POST_NOT_VOTABLE',
    'REPOST_NOT_ALLOWED',
    'POST_NOT_SHAREABLE',
    'CUSTOM_LINK_TAKEN',
    'LAST_ADMIN',
    'ALREADY_MEMBER',
    'INVITATION_NOT_PENDING',
    'JOIN_REQUEST_PENDING',
    'JOIN_REQUEST_NOT_PENDING',
    'CONTACT_SNAPSHOT_CONFLICT',
    'UPLOAD_CONFLICT',
    'IDEMPOTENCY_KEY_CONFLICT',
    'REPORT_CLAIMED',
    'REPORT_NOT_OF_CONTENT',
    'APPEAL_EXISTS',
    'APPEAL_TOO_LATE',
  ],
  413: ['PAYLOAD_TOO_LARGE'],
  422: ['VALIDATION_FAILED', 'REASON_MISSING'],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL_ERROR'],
  503: ['SERVICE_UNAVAILABLE', 'STAFF_SIGN_IN_UNAVAILABLE'],
};

// docs/product.md W3, W22
test('the error catalogue has exactly the codes of docs/product.md, each with its status', () => {
  const statuses = Object.entries(CODES).flatMap(([status, codes]) => codes.map((code) => [code, +status]));
  const catalogue = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
  expect(Object.fromEntries(catalogue)).toEqual(Object.fromEntries(statuses));
});

test('responses of the service match the schemas of the OpenAPI document', async () => {
  const [guest, maya, author] = [aGuest(opine), await registeredPerson(opine), await confirmedPerson(opine)];
  const thought = await aThought(author);
  const slider = await aSlider(author, { article: { title: 'On it' } });
  const answers: [string, Promise<Reply>][] = [
    ['get_login_config', guest.get('/auth/login-config')],
    ['start_anonymous_session', guest.post('/auth/anonymous/session', { deviceId: 'install of a reader' })],
    ['refresh_session', guest.post('/auth/session/refresh', { refreshToken: maya.session.refreshToken })],
    ['get_onboarding_status', maya.get('/users/me/onboarding/status')],
    ['complete_media', maya.put('/users/me/onboarding/media', {})],
    ['create_post', author.post('/posts', { thoughtText: 'So it is.', visibility: 'public' })],
    ['get_post', guest.get(`/posts/${thought.id}`)],
    ['get_post', author.get(`/posts/${slider.id}`)],
    ['get_home_feed', author.get('/posts?limit=2')],
    ['get_vote_summary', guest.get(`/posts/${slider.id}/vote/summary`)],
    ['get_vote_distribution', guest.get(`/posts/${slider.id}/vote/distribution`)],
    ['get_my_vote', maya.get(`/posts/${slider.id}/vote/me`)],
    ['cast_vote', castVote(maya, slider)],
  ];
  for (const [id, answer] of answers) {
    const { status, message, data } = await answer;
    const route = ROUTES.find((candidate) => candidate.id === id);
    expect([id, status]).toEqual([id, route?.status]);
    const { schema } = operationOf(route).responses[status].content['application/json'];
    expect([id, document.problemsOf(schema, { success: true, message, data })]).toEqual([id, []]);
  }
});

test('bodies that the service accepts match the schemas of the OpenAPI document', async () => {
  const nulls = { article: null, slider: null, hubIds: null };
  const bodies: [string, object][] = [
    ['create_post', { ...nulls, thoughtText: 'So it is.', visibility: 'public' }],
    ['create_post', { article: { url: null, title: 'On it', text: null }, visibility: 'public' }],
    ['complete_media', {}],
    ['complete_media', { profileAssetId: null }],
  ];
  const author = await confirmedPerson(opine);
  for (const [id, body] of bodies) {
    const route = ROUTES.find((candidate) => candidate.id === id);
    const method = route?.method.toUpperCase() ?? '';
    const headers = { 'content-type': 'application/json' };
    const { status } = await author.send(method, route?.path ?? '', JSON.stringify(body), { headers });
    expect([id, status]).toEqual([id, route?.status]);
    const { schema } = operationOf(route).requestBody.content['application/json'];
    expect([id, document.problemsOf(schema, body)]).toEqual([id, []]);
  }
});
