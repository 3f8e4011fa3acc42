import { z } from 'zod';
import { Acceptance, Invitation, InvitationPreview, NewInvitation } from '../contract/models/hubs.ts';
import { id, listPage, page, text } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { AT, author, HUB_ID, hub, hubPreview, INVITATION_ID, INVITE_TOKEN } from './examples.ts';
import { byTokenHash, createInvitations } from './invite-handlers.ts';

const params = { hubId: 'HUB_NOT_FOUND' } as const;
const ofInvitation = { invitationId: 'INVITATION_NOT_FOUND' } as const;
const inviteUrl = `https://opine.example/invitations/${INVITE_TOKEN}`;
const invitation = { id: INVITATION_ID, phoneNumber: '+12025550104', state: 'pending', expiresAt: AT };

/** Invitations of phone numbers to Hubs (spec.md "Hub membership", "G. Hubs"). */
export const hubInvitations: readonly Route[] = [
  {
    id: 'create_invitations',
    method: 'post',
    path: '/hubs/{hubId}/invitations',
    tag: 'Hub invitations',
    summary: 'Invite phone numbers to a Hub',
    description:
      "For members. Opine sends nothing: share `shareText`, or `inviteUrl`, which is shown this once. An invitation is good for seven days; accepting an admin's makes a member, anybody else's asks the admins. The answer is the same whether a number has an account.",
    auth: 'required',
    level: 4,
    params,
    body: z.strictObject({ phoneNumbers: z.array(text(1, 40)).min(1).max(50) }),
    data: z.strictObject({ items: z.array(NewInvitation) }),
    status: 201,
    message: 'Invitations made.',
    errors: ['RATE_LIMITED'],
    example: {
      body: { phoneNumbers: [invitation.phoneNumber] },
      data: {
        items: [
          {
            ...invitation,
            inviteUrl,
            shareText: `${author.name} invites you to “${hub.name}” on Opine: ${inviteUrl}`,
          },
        ],
      },
    },
    handle: createInvitations,
  },
  {
    id: 'list_invitations',
    method: 'get',
    path: '/hubs/{hubId}/invitations',
    tag: 'Hub invitations',
    summary: 'Invitations to a Hub, newest first',
    description: 'Managers and admins read all of them, members their own.',
    auth: 'required',
    level: 4,
    params,
    query: z.object(listPage),
    data: page(Invitation),
    status: 200,
    message: 'Invitations.',
    example: {
      data: {
        items: [
          {
            ...invitation,
            inviteUrl: null,
            shareText: null,
            invitedBy: { userId: author.id, displayName: 'Amara C.' },
          },
        ],
        nextCursor: null,
      },
    },
  },
  {
    id: 'get_invitation',
    method: 'get',
    path: '/hub-invitations/by-token/{token}',
    tag: 'Hub invitations',
    summary: 'What an invitation is to',
    auth: 'optional',
    params: { token: { form: z.string(), error: 'INVITATION_NOT_FOUND' } },
    data: InvitationPreview,
    status: 200,
    message: 'Invitation.',
    example: {
      data: {
        id: INVITATION_ID,
        state: 'pending',
        expiresAt: AT,
        hub: hubPreview,
        invitedBy: { displayName: author.name },
      },
    },
    handle: byTokenHash,
  },
  {
    id: 'accept_invitation',
    method: 'post',
    path: '/hub-invitations/{invitationId}/accept',
    tag: 'Hub invitations',
    summary: 'Accept an invitation',
    description: 'For whoever owns the number that it names.',
    auth: 'required',
    level: 4,
    params: ofInvitation,
    data: Acceptance,
    status: 200,
    creates: true,
    message: 'Invitation accepted.',
    errors: ['INVITATION_NOT_PENDING', 'ALREADY_MEMBER', 'JOIN_REQUEST_PENDING'],
    example: { data: { hubId: HUB_ID, viewerStatus: 'member', joinRequestId: null } },
  },
  {
    id: 'decline_invitation',
    method: 'post',
    path: '/hub-invitations/{invitationId}/decline',
    tag: 'Hub invitations',
    summary: 'Decline an invitation',
    description: 'For whoever owns the number that it names.',
    auth: 'required',
    level: 1,
    params: ofInvitation,
    data: z.strictObject({ id, state: z.literal('declined') }),
    status: 200,
    message: 'Invitation declined.',
    errors: ['INVITATION_NOT_PENDING'],
    example: { data: { id: INVITATION_ID, state: 'declined' } },
  },
];
