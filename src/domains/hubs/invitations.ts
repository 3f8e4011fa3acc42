import { z } from 'zod';
import { MAX_PHONE_LENGTH, normalizePhone } from '../../auth/phones.ts';
import { id, listPage, page, verbatim } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { AT, author, HUB_ID, hub, hubPreview, INVITATION_ID, INVITE_TOKEN } from '../examples.ts';
import { Acceptance, Invitation, InvitationPreview, InvitationState, NewInvitation } from './schemas.ts';
import { byTokenHash, createToken, tokenLink } from './tokens.ts';

const params = { hubId: 'HUB_NOT_FOUND' } as const;
const ofInvitation = { invitationId: 'INVITATION_NOT_FOUND' } as const;
const inviteUrl = `https://opine.example/invitations/${INVITE_TOKEN}`;
const invitation = { id: INVITATION_ID, phoneNumber: '+12025550104', state: 'pending', expiresAt: AT };

/** Invitations of phone numbers to Hubs (docs/product.md H10-H15). */
export const hubInvitations: readonly Operation[] = [
  {
    id: 'create_invitations',
    method: 'post',
    path: '/hubs/{hubId}/invitations',
    tag: 'Hub invitations',
    summary: 'Invite phone numbers to a Hub',
    description:
      "For members. Opine sends nothing: the caller shares `shareText` or `inviteUrl`, which no later answer holds. An invitation expires after seven days. Accepting an admin's invitation makes a member; accepting any other creates a join request. The answer is the same for numbers with and without an account. Numbers that nobody can have are answered as `invalid`; without any other number the answer is 422.",
    auth: 'required',
    level: 4,
    params,
    body: z
      .strictObject({
        phoneNumbers: z
          .array(verbatim(MAX_PHONE_LENGTH))
          .min(1)
          .max(50)
          .describe('E.164, in any notation. A number counts once, however it is written.'),
      })
      .describe('The phone numbers to invite.'),
    data: z
      .strictObject({
        items: z.array(NewInvitation).describe('One for each number, in the order of the request.'),
      })
      .meta({
        id: 'NewHubInvitations',
        description: 'The new invitations, the same with and without accounts.',
      }),
    status: 201,
    message: 'Invitations made.',
    errors: ['INVITATION_NOT_FOUND', 'RATE_LIMITED'],
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
    summary: 'List the invitations to a Hub, newest first',
    description: 'Managers and admins see all invitations, members their own.',
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
    summary: 'Get an invitation by its token',
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
    description: 'For the owner of the invited phone number.',
    auth: 'required',
    level: 4,
    params: ofInvitation,
    data: Acceptance,
    status: 200,
    creates: true,
    message: 'Invitation accepted.',
    errors: ['HUB_NOT_FOUND', 'INVITATION_NOT_PENDING', 'ALREADY_MEMBER', 'JOIN_REQUEST_PENDING'],
    example: { data: { hubId: HUB_ID, viewerStatus: 'member', joinRequestId: null } },
  },
  {
    id: 'decline_invitation',
    method: 'post',
    path: '/hub-invitations/{invitationId}/decline',
    tag: 'Hub invitations',
    summary: 'Decline an invitation',
    description: 'For the owner of the invited phone number.',
    auth: 'required',
    level: 1,
    params: ofInvitation,
    data: z
      .strictObject({ id: id.describe('The id of the invitation.'), state: InvitationState })
      .meta({ id: 'HubInvitationDecline', description: 'A declined invitation.' }),
    status: 200,
    message: 'Invitation declined.',
    errors: ['INVITATION_NOT_PENDING'],
    example: { data: { id: INVITATION_ID, state: 'declined' } },
  },
];

const InvitationArgs = z.looseObject({ phoneNumbers: z.array(z.string()) });
const Invited = z.object({
  hubName: z.string(),
  inviterName: z.string(),
  items: z.array(z.looseObject({ sealedToken: z.string().nullable() })),
});

/**
 * Creates an invitation with a token and a URL for each number. Postgres stores hashes of the tokens, and the sealed tokens
 * for a replay. The numbers in the answer come from the request.
 */
export async function createInvitations({ args, services, run }: Call): Promise<unknown> {
  const { phoneNumbers, ...rest } = InvitationArgs.parse(args);
  const numbers = distinctNumbers(phoneNumbers);
  const invitations = numbers.map(({ phone }) =>
    phone === null ? { phoneNumber: null } : { phoneNumber: phone, ...createToken(services) },
  );
  const { hubName, inviterName, items } = Invited.parse(await run({ ...rest, invitations }));
  return {
    items: items.map(({ sealedToken, ...item }, index) => {
      const number = numbers[index];
      const phoneNumber = number?.phone ?? number?.given;
      if (sealedToken === null) return { ...item, phoneNumber, inviteUrl: null, shareText: null };
      const inviteUrl = tokenLink(services, 'invitations', sealedToken).url;
      const shareText = `${inviterName} invites you to “${hubName}” on Opine: ${inviteUrl}`;
      return { ...item, phoneNumber, inviteUrl, shareText };
    }),
  };
}

/** A number of a request: as it was sent, and in E.164 form, null if nobody can have it. */
interface GivenNumber {
  readonly given: string;
  readonly phone: string | null;
}

/** Returns the numbers of a request in their order, each once, however it is written. */
function distinctNumbers(phoneNumbers: readonly string[]): GivenNumber[] {
  const numbers = new Map<string, GivenNumber>();
  for (const given of phoneNumbers) {
    const phone = normalizePhone(given);
    const key = phone ?? given;
    if (!numbers.has(key)) numbers.set(key, { given, phone });
  }
  return [...numbers.values()];
}
