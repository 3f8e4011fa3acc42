import { z } from 'zod';
import { normalizePhone } from '../../auth/phones.ts';
import { type Issue, invalid } from '../../contract/errors.ts';
import { id, listPage, page, text } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import type { Services } from '../../services.ts';
import { AT, author, HUB_ID, hub, hubPreview, INVITATION_ID, INVITE_TOKEN } from '../examples.ts';
import { notPossible } from '../identity/operations.ts';
import { Acceptance, Invitation, InvitationPreview, NewInvitation } from './schemas.ts';

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

const InvitationArgs = z.looseObject({ phoneNumbers: z.array(z.string()) });
const Invited = z.object({
  hubName: z.string(),
  inviterName: z.string(),
  items: z.array(z.looseObject({ sealedToken: z.string() })),
});

/**
 * Draws a token for each number and makes the addresses. Postgres keeps the tokens' hashes, and in an answer that may be
 * replayed the tokens sealed; the numbers are those of the request and in no answer of Postgres.
 */
export async function createInvitations({ args, services, run }: Call): Promise<unknown> {
  const { phoneNumbers, ...rest } = InvitationArgs.parse(args);
  const phones = distinctPhones(phoneNumbers);
  const invitations = phones.map((phoneNumber) => ({ phoneNumber, ...drawToken(services) }));
  const { hubName, inviterName, items } = Invited.parse(await run({ ...rest, invitations }));
  return {
    items: items.map(({ sealedToken, ...item }, place) => {
      const inviteUrl = addressOf(services, 'invitations', sealedToken).url;
      const shareText = `${inviterName} invites you to “${hubName}” on Opine: ${inviteUrl}`;
      return { ...item, phoneNumber: phones[place], inviteUrl, shareText };
    }),
  };
}

const Link = z.looseObject({ sealedToken: z.string() });

/** Draws the link's token; Postgres keeps its hash, and in an answer that may be replayed the token sealed. */
export async function createInviteLink({ args, services, run }: Call): Promise<unknown> {
  const { sealedToken, ...link } = Link.parse(await run({ ...args, ...drawToken(services) }));
  return { ...link, ...addressOf(services, 'join', sealedToken) };
}

const TokenArgs = z.looseObject({ token: z.string() });

/** Postgres knows a token by its hash. */
export async function byTokenHash({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { token, ...rest } = TokenArgs.parse(args);
  return run({ ...rest, tokenHash: secrets.fingerprint(token) });
}

function drawToken({ secrets }: Services): { tokenHash: string; sealedToken: string } {
  const token = secrets.newToken();
  return { tokenHash: secrets.fingerprint(token), sealedToken: secrets.sealInviteToken(token) };
}

function addressOf(services: Services, place: string, sealedToken: string): { token: string; url: string } {
  const token = services.secrets.openInviteToken(sealedToken);
  return { token, url: appAddress(services, `${place}/${token}`) };
}

/** The numbers in E.164 form, each once. @throws ApiError VALIDATION_FAILED where one is no possible number */
function distinctPhones(phoneNumbers: readonly string[]): string[] {
  const issues: Issue[] = [];
  const phones = new Set<string>();
  phoneNumbers.forEach((given, place) => {
    const phone = normalizePhone(given);
    if (phone === null) issues.push(notPossible(['phoneNumbers', place]));
    else phones.add(phone);
  });
  if (issues.length > 0) throw invalid(...issues);
  return [...phones];
}

/** The address of `path` in the app: what opens when somebody follows it. */
export function appAddress({ config }: Services, path: string): string {
  return new URL(path, `${config.APP_URL.replace(/\/$/, '')}/`).href;
}
