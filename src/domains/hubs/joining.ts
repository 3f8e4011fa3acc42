import { z } from 'zod';
import { listPage, nothing, page } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { AT, author, HUB_ID, hubPreview, INVITE_TOKEN, JOIN_REQUEST_ID } from '../examples.ts';
import {
  InviteLink,
  InviteLinkPreview,
  JoinRequest,
  JoinRequestDecision,
  NewInviteLink,
  NewJoinRequest,
} from './schemas.ts';
import { byTokenHash, createToken, tokenLink } from './tokens.ts';

const params = { hubId: 'HUB_NOT_FOUND' } as const;
const byToken = { token: { form: z.string(), error: 'INVITE_LINK_NOT_FOUND' } } as const;
const ofRequest = { ...params, requestId: 'JOIN_REQUEST_NOT_FOUND' } as const;
const link = {
  id: '01900000-0000-7000-8000-0000000000c4',
  expiresAt: AT,
  maxUses: 20,
  useCount: 0,
  createdAt: AT,
};

/** Invite links and join requests (docs/product.md H10, H19-H22, H27). */
export const hubJoining: readonly Operation[] = [
  {
    id: 'create_invite_link',
    revokesAccess: false,
    method: 'post',
    path: '/hubs/{hubId}/invite-links',
    tag: 'Joining Hubs',
    summary: 'Create an invite link',
    description:
      'For managers and admins. The holder of the link may request to join; an admin decides. No other answer holds `token`.',
    auth: 'required',
    level: 4,
    params,
    body: z
      .strictObject({
        expiresInDays: z
          .int()
          .min(1)
          .max(30)
          .default(7)
          .describe('Days from now until the link stops working.'),
        maxUses: z
          .int()
          .min(1)
          .max(1000)
          .nullish()
          .describe('How many join requests it may lead to; null for any number.'),
      })
      .describe('The limits of the link.'),
    data: NewInviteLink,
    status: 201,
    message: 'Link made.',
    errors: ['INVITE_LINK_NOT_FOUND', 'RATE_LIMITED'],
    example: {
      body: { expiresInDays: 7, maxUses: link.maxUses },
      data: { ...link, token: INVITE_TOKEN, url: `https://opine.example/join/${INVITE_TOKEN}` },
    },
    handle: createInviteLink,
  },
  {
    id: 'list_invite_links',
    method: 'get',
    path: '/hubs/{hubId}/invite-links',
    tag: 'Joining Hubs',
    summary: 'List unexpired invite links, newest first',
    description: 'For managers and admins.',
    auth: 'required',
    level: 4,
    params,
    query: z.object(listPage),
    data: page(InviteLink),
    status: 200,
    message: 'Invite links.',
    example: { data: { items: [{ ...link, token: null, url: null }], nextCursor: null } },
  },
  {
    id: 'revoke_invite_link',
    method: 'delete',
    path: '/hubs/{hubId}/invite-links/{inviteLinkId}',
    tag: 'Joining Hubs',
    summary: 'Revoke an invite link',
    description: 'For managers and admins. Join requests by the link stay.',
    auth: 'required',
    level: 4,
    params: { ...params, inviteLinkId: 'INVITE_LINK_NOT_FOUND' },
    data: nothing,
    status: 200,
    message: 'Link revoked.',
    example: { data: {} },
  },
  {
    id: 'get_invite_link',
    method: 'get',
    path: '/hub-invite-links/{token}',
    tag: 'Joining Hubs',
    summary: 'Get an invite link by its token',
    auth: 'optional',
    params: byToken,
    data: InviteLinkPreview,
    status: 200,
    message: 'Invite link.',
    example: { data: { hub: hubPreview, expiresAt: AT, viewerStatus: 'none' } },
    handle: byTokenHash,
  },
  {
    id: 'request_to_join',
    method: 'post',
    path: '/hub-invite-links/{token}/join-requests',
    tag: 'Joining Hubs',
    summary: 'Request to join a Hub',
    auth: 'required',
    level: 4,
    params: byToken,
    data: NewJoinRequest,
    status: 201,
    message: 'The admins will decide.',
    errors: ['JOIN_REQUEST_NOT_FOUND', 'ALREADY_MEMBER', 'JOIN_REQUEST_PENDING', 'RATE_LIMITED'],
    example: { data: { id: JOIN_REQUEST_ID, hubId: HUB_ID, state: 'pending_admin_approval' } },
    handle: byTokenHash,
  },
  {
    id: 'list_join_requests',
    method: 'get',
    path: '/hubs/{hubId}/join-requests',
    tag: 'Joining Hubs',
    summary: 'List open join requests, newest first',
    description: 'For managers and admins.',
    auth: 'required',
    level: 4,
    params,
    query: z.object(listPage),
    data: page(JoinRequest),
    status: 200,
    message: 'Join requests.',
    example: {
      data: {
        items: [
          {
            id: JOIN_REQUEST_ID,
            user: {
              userId: author.id,
              displayName: author.name,
              profilePhotoUrl: null,
              username: author.username,
            },
            state: 'pending_admin_approval',
            source: 'invite_link',
            createdAt: AT,
          },
        ],
        nextCursor: null,
      },
    },
  },
  {
    id: 'approve_join_request',
    method: 'post',
    path: '/hubs/{hubId}/join-requests/{requestId}/approve',
    tag: 'Joining Hubs',
    summary: 'Approve a join request',
    description: 'For admins. The applicant becomes a member.',
    auth: 'required',
    level: 4,
    params: ofRequest,
    data: JoinRequestDecision,
    status: 200,
    creates: true,
    message: 'Request approved.',
    errors: ['JOIN_REQUEST_NOT_PENDING'],
    example: { data: { id: JOIN_REQUEST_ID, state: 'approved' } },
  },
  {
    id: 'reject_join_request',
    method: 'post',
    path: '/hubs/{hubId}/join-requests/{requestId}/reject',
    tag: 'Joining Hubs',
    summary: 'Reject a join request',
    description: 'For admins.',
    auth: 'required',
    level: 4,
    params: ofRequest,
    data: JoinRequestDecision,
    status: 200,
    message: 'Request rejected.',
    errors: ['JOIN_REQUEST_NOT_PENDING'],
    example: { data: { id: JOIN_REQUEST_ID, state: 'rejected' } },
  },
  {
    id: 'withdraw_join_request',
    method: 'delete',
    path: '/hubs/{hubId}/join-requests/{requestId}',
    tag: 'Joining Hubs',
    summary: 'Withdraw a join request',
    description:
      'For the applicant, while the request is open. The admins and managers keep no notification of it.',
    auth: 'required',
    level: 1,
    params: ofRequest,
    data: nothing,
    status: 200,
    message: 'Request withdrawn.',
    errors: ['JOIN_REQUEST_NOT_PENDING'],
    example: { data: {} },
  },
];

const Link = z.looseObject({ sealedToken: z.string() });

/** Creates an invite link. Postgres stores the hash of its token, and the sealed token for a replay. */
async function createInviteLink({ args, services, run }: Call): Promise<unknown> {
  const { sealedToken, ...link } = Link.parse(await run({ ...args, ...createToken(services) }));
  return { ...link, ...tokenLink(services, 'join', sealedToken) };
}
