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

describe('whoever opens a link', () => {
  test('sees a preview of the hub, and how they stand to it', async () => {
    const link = await anInviteLink(amara, hub);
    const bo = await aHubReady(opine);
    const seen = (fields: Json = { viewerStatus: 'none' }) => {
      const { viewerStatus } = fields;
      return { hub: previewOf(hub, fields), expiresAt: link.expiresAt, viewerStatus };
    };
    for (const viewer of [aGuest(opine), clientOf(opine.url, 'no.good.token'), bo])
      expect((await openLink(viewer, link)).data).toEqual(seen());
    const { id: invitationId } = await anInvitation(amara, hub, bo);
    expect((await openLink(bo, link)).data).toEqual(seen({ viewerStatus: 'invited', invitationId }));
    const { id: joinRequestId } = await aJoinRequest(amara, hub, bo);
    const pending = { viewerStatus: 'pending_admin_approval', joinRequestId };
    expect((await openLink(bo, link)).data).toEqual(seen(pending));
  });

  test('as a member sees that, and no more than others do', async () => {
    const { data } = await openLink(amara, await anInviteLink(amara, hub));
    expect(data.viewerStatus).toBe('member');
    expect(Object.keys(data.hub).sort()).toEqual(Object.keys(previewOf(hub)).sort());
  });

  test.each([...NO_IDS, 'A'.repeat(43)])('finds nothing behind "%s"', async (token) => {
    expect(await openLink(aGuest(opine), { token })).toMatchObject(NOT_FOUND);
    expect(await requestJoin(await aHubReady(opine), { token })).toMatchObject(NOT_FOUND);
  });
});

describe('a link that leads nowhere any more', () => {
  const expectNowhere = async (link: Json) => {
    const bo = await aHubReady(opine);
    for (const viewer of [aGuest(opine), bo]) expect(await openLink(viewer, link)).toMatchObject(NOT_FOUND);
    expect(await requestJoin(bo, link)).toMatchObject(NOT_FOUND);
  };

  test('is one whose days are over, and not a minute earlier', async () => {
    const link = await anInviteLink(amara, hub, { expiresInDays: 1 });
    await timePasses(opine, '23 hours 59 minutes');
    expect((await requestJoin(await aHubReady(opine), link)).status).toBe(201);
    await timePasses(opine, '1 minute 1 second');
    await expectNowhere(link);
  });

  test('is one that was used by as many as it is for', async () => {
    const link = await anInviteLink(amara, hub, { maxUses: 2 });
    for (const useCount of [1, 2]) {
      expect((await requestJoin(await aHubReady(opine), link)).status).toBe(201);
      expect(await linksOf(amara, hub)).toMatchObject([{ useCount }]);
    }
    await expectNowhere(link);
    expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 2, maxUses: 2 }]);
  });

  test('is one into a closed hub', async () => {
    const link = await anInviteLink(amara, hub);
    await granted(requestLeave(amara, hub));
    await expectNowhere(link);
  });
});

test('a link is not used up by members and by who waits already', async () => {
  const link = await anInviteLink(amara, hub, { maxUses: 2 });
  const bo = await aHubReady(opine);
  expect(await requestJoin(amara, link)).toMatchObject(refusal(409, 'ALREADY_MEMBER'));
  await granted(requestJoin(bo, link));
  for (const _ of [1, 2])
    expect(await requestJoin(bo, link)).toMatchObject(refusal(409, 'JOIN_REQUEST_PENDING'));
  expect(await linksOf(amara, hub)).toMatchObject([{ useCount: 1 }]);
});
