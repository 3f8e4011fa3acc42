import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { granted, NO_IDS } from '../support/graph.ts';
import {
  aHub,
  aJoinRequest,
  anInvitation,
  anInviteLink,
  requestJoin,
  requestLeave,
} from '../support/hubs.ts';
import { linksOf, openLink, previewOf } from '../support/invitations.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara');
  hub = await aHub(amara);
});

const NOT_FOUND = refusal(404, 'INVITE_LINK_NOT_FOUND');

describe('GET /hub-invite-links/{token}', () => {
  test('everybody with the token sees the preview and their own status', async () => {
    const link = await anInviteLink(amara, hub);
    const bo = await aHubReady(opine);
    const expectedAnswer = (fields: Json = { viewerStatus: 'none' }) => {
      const { viewerStatus } = fields;
      return { hub: previewOf(hub, fields), expiresAt: link.expiresAt, viewerStatus };
    };
    for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token'), bo])
      expect((await openLink(viewer, link)).data).toEqual(expectedAnswer());
    const { id: invitationId } = await anInvitation(amara, hub, bo);
    expect((await openLink(bo, link)).data).toEqual(
      expectedAnswer({ viewerStatus: 'invited', invitationId }),
    );
    const { id: joinRequestId } = await aJoinRequest(amara, hub, bo);
    const pending = { viewerStatus: 'pending_admin_approval', joinRequestId };
    expect((await openLink(bo, link)).data).toEqual(expectedAnswer(pending));
  });

  test('a member sees their status and the same fields as others', async () => {
    const { data } = await openLink(amara, await anInviteLink(amara, hub));
    expect(data.viewerStatus).toBe('member');
    expect(Object.keys(data.hub).sort()).toEqual(Object.keys(previewOf(hub)).sort());
  });

  test.each([...NO_IDS, 'A'.repeat(43)])('the unknown token "%s" is 404', async (token) => {
    expect(await openLink(aGuest(opine), { token })).toMatchObject(NOT_FOUND);
    expect(await requestJoin(await aHubReady(opine), { token })).toMatchObject(NOT_FOUND);
  });
});

describe('an invalid invite link', () => {
  const expectNotFound = async (link: Json) => {
    const bo = await aHubReady(opine);
    for (const viewer of [aGuest(opine), bo]) expect(await openLink(viewer, link)).toMatchObject(NOT_FOUND);
    expect(await requestJoin(bo, link)).toMatchObject(NOT_FOUND);
  };

  test('a link is 404 after its expiry and valid until then', async () => {
    const link = await anInviteLink(amara, hub, { expiresInDays: 1 });
    await timePasses(opine, '23 hours 59 minutes');
    expect((await requestJoin(await aHubReady(opine), link)).status).toBe(201);
    await timePasses(opine, '1 minute 1 second');
    await expectNotFound(link);
  });

  test('a link is 404 after its last use', async () => {
    const link = await anInviteLink(amara, hub, { maxUses: 2 });
    for (const useCount of [1, 2]) {
      expect((await requestJoin(await aHubReady(opine), link)).status).toBe(201);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount }]);
    }
    await expectNotFound(link);
    expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 2, maxUses: 2 }]);
  });

  test('a link to a closed Hub is 404', async () => {
    const link = await anInviteLink(amara, hub);
    await granted(requestLeave(amara, hub));
    await expectNotFound(link);
  });
});

test('members and applicants do not use up an invite link', async () => {
  const link = await anInviteLink(amara, hub, { maxUses: 2 });
  const bo = await aHubReady(opine);
  expect(await requestJoin(amara, link)).toMatchObject(refusal(409, 'ALREADY_MEMBER'));
  await granted(requestJoin(bo, link));
  for (const _ of [1, 2])
    expect(await requestJoin(bo, link)).toMatchObject(refusal(409, 'JOIN_REQUEST_PENDING'));
  expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
});
