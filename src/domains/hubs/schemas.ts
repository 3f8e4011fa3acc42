import { z } from 'zod';
import { id, idOrEmpty, pattern, text, textElsewhere, timestamp } from '../../contract/values.ts';

const count = z.int().nonnegative();

export const HubRole = z.enum(['member', 'manager', 'admin']).meta({
  id: 'HubRole',
  description: 'The role of a member. Each role may do what the ones before it may.',
});

/** The custom link of a Hub. */
export const customLink = pattern(
  /^[a-z0-9-]{3,40}$/,
  'Must be 3 to 40 small letters, digits and hyphens.',
).describe('The unique name by which a search finds the Hub first.');

const name = text(2, 80).describe('The name of the Hub, not unique.');
const description = text(0, 500);

const photoUrl = z.url().nullable();

const profileAssetId = id.nullish().meta({ description: 'A completed hub_photo.' });

/** The body of POST /hubs. */
export const NewHub = z
  .strictObject({
    name,
    description: description.nullish().describe('Null for none.'),
    profileAssetId,
    customLink: customLink
      .nullish()
      .describe('The unique name by which a search finds the Hub first; null for none.'),
  })
  .meta({ id: 'NewHub', description: 'A Hub to create.' });

/** The body of PATCH /hubs/{hubId}. */
export const HubChanges = z
  .strictObject({
    name: name.optional(),
    description: description.nullish().describe('Null, and an empty text, clear it.'),
    profileAssetId: profileAssetId.meta({ description: 'A completed hub_photo; null removes the photo.' }),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: 'Change at least one thing.',
  })
  .meta({ id: 'HubChanges', description: 'At least one field; what is left out stays.' });

const previewFields = {
  id: id.describe('The id of the Hub.'),
  name: z.string().describe('Its name, not unique.'),
  description: z.string().describe('Empty without one.'),
  profilePhotoUrl: photoUrl.describe('A stable public URL; null without a photo.'),
  memberCount: count.describe('The active members, suspended ones included.'),
};

const viewerStatus = z.enum(['none', 'invited', 'pending_admin_approval', 'member']).meta({
  id: 'HubViewerStatus',
  description:
    'What the viewer is to the Hub: of several the first of member, pending_admin_approval, invited, none.',
});

const viewerRole = HubRole.nullable().meta({ description: 'Null for non-members.' });

const openIds = {
  invitationId: id.optional().meta({ description: "The viewer's open invitation." }),
  joinRequestId: id.optional().meta({ description: "The viewer's open join request." }),
};

export const HubPreview = z
  .strictObject({ ...previewFields, viewerStatus, viewerRole, ...openIds })
  .meta({ id: 'HubPreview', description: 'A Hub as non-members see it.' });

export const Hub = z
  .strictObject({
    ...previewFields,
    customLink: z.string().nullable().optional().meta({ description: 'For members only; null without one.' }),
    activeUsers24h: count.optional().meta({
      description: 'The members who used the Hub within 24 hours, to five minutes. For members only.',
    }),
    viewerStatus,
    viewerRole,
    ...openIds,
  })
  .meta({
    id: 'Hub',
    description:
      'Complete for active members; for others the preview with their open invitation or join request.',
  });

export const HubMember = z
  .strictObject({
    userId: id.describe('The id of the person.'),
    displayName: z.string().describe('The name of the Hub profile.'),
    profilePhotoUrl: photoUrl.describe('The photo of the Hub profile; null without one.'),
    username: z.string().describe('Without `@`.'),
    phoneNumber: z.string().describe('The verified phone, in E.164.'),
    role: HubRole,
    joinedAt: timestamp.describe('When the membership began; after a return, when the new one did.'),
  })
  .meta({ id: 'HubMember', description: 'A member as other members see them.' });

export const InvitationState = z.enum(['pending', 'accepted', 'declined', 'expired']).meta({
  id: 'HubInvitationState',
  description: 'An invitation expires after 7 days, and with the membership of the invited person.',
});

/** No other answer holds the URL, and none once it leads nowhere. */
export const NewInvitation = z
  .strictObject({
    id: id.nullable().describe('Null for an invalid number.'),
    phoneNumber: z.string().meta({ description: 'E.164; an invalid number as it was sent.' }),
    state: z.enum([...InvitationState.options, 'invalid']).meta({
      id: 'NewHubInvitationState',
      description:
        '`pending`, or the state of now where a request is repeated with its Idempotency-Key. Nobody can have an `invalid` number: all but the number is null.',
    }),
    inviteUrl: z.url().nullable().meta({ description: 'Null unless the invitation is pending.' }),
    shareText: z
      .string()
      .nullable()
      .describe('A text with the URL, for the caller to send; null unless the invitation is pending.'),
    expiresAt: timestamp
      .nullable()
      .describe('Seven days after the invitation was made or renewed; null for an invalid number.'),
  })
  .meta({ id: 'NewHubInvitation', description: 'A new invitation, or a number that nobody can have.' });

const HubInviter = z
  .strictObject({
    userId: idOrEmpty,
    displayName: z.string().describe('As in the Hub; empty for an ended or suspended account.'),
  })
  .meta({ id: 'HubInviter', description: 'The person who made an invitation.' });

export const Invitation = z
  .strictObject({
    id: id.describe('The id of the invitation.'),
    phoneNumber: z.string().describe('The invited number, in E.164.'),
    state: InvitationState,
    expiresAt: timestamp.describe('Seven days after the invitation was made or renewed.'),
    inviteUrl: textElsewhere('Only the answer to the creation holds it.'),
    shareText: textElsewhere('Only the answer to the creation holds it.'),
    invitedBy: HubInviter,
  })
  .meta({ id: 'HubInvitation', description: 'An invitation in the list of a Hub.' });

const HubInviterName = z
  .strictObject({
    displayName: z.string().describe('The public name; empty for an ended or suspended account.'),
  })
  .meta({ id: 'HubInviterName', description: 'The person who made an invitation, by name.' });

export const InvitationPreview = z
  .strictObject({
    id: id.describe('The id by which the invited person accepts or declines.'),
    state: InvitationState,
    expiresAt: timestamp.describe('Seven days after the invitation was made or renewed.'),
    hub: HubPreview,
    invitedBy: HubInviterName,
  })
  .meta({ id: 'HubInvitationPreview', description: 'An invitation as the holder of its token sees it.' });

export const Acceptance = z
  .strictObject({
    hubId: id.describe('The Hub of the invitation.'),
    viewerStatus,
    joinRequestId: id.nullable().describe('The new join request; null where the caller became a member.'),
  })
  .meta({ id: 'HubInvitationAcceptance', description: 'The result of accepting an invitation.' });

const link = {
  id: id.describe('The id of the link, which opens nothing.'),
  expiresAt: timestamp.describe('When the link stops working.'),
  maxUses: z
    .int()
    .positive()
    .nullable()
    .describe('How many join requests it may lead to; null for any number.'),
  useCount: count.describe('The join requests that it led to, without withdrawn and rejected ones.'),
  createdAt: timestamp.describe('When the link was created.'),
};

/** No other answer holds the token. */
export const NewInviteLink = z
  .strictObject({
    ...link,
    token: z.string().describe('The secret at the end of `url`.'),
    url: z.url().describe('The link to share; it leads into the app.'),
  })
  .meta({ id: 'NewHubInviteLink', description: 'A new invite link.' });

export const InviteLink = z
  .strictObject({
    ...link,
    token: textElsewhere('Only the answer to the creation holds it.'),
    url: textElsewhere('Only the answer to the creation holds it.'),
  })
  .meta({ id: 'HubInviteLink', description: 'An invite link in the list of a Hub.' });

export const InviteLinkPreview = z
  .strictObject({
    hub: HubPreview,
    expiresAt: timestamp.describe('When the link stops working.'),
    viewerStatus,
  })
  .meta({ id: 'HubInviteLinkPreview', description: 'An invite link as the holder of its token sees it.' });

export const JoinRequestState = z.enum(['pending_admin_approval', 'approved', 'rejected']).meta({
  id: 'HubJoinRequestState',
  description: 'A request is open until an admin decides it or its applicant withdraws it.',
});

export const JoinRequestSource = z.enum(['invite_link', 'member_invitation']).meta({
  id: 'HubJoinRequestSource',
  description: 'What led to a join request: an invite link, or an invitation that alone makes no member.',
});

const Requester = z
  .strictObject({
    userId: idOrEmpty,
    displayName: z.string().describe('The public name; empty for a suspended account.'),
    profilePhotoUrl: photoUrl.describe('The public photo; null without one.'),
    username: z.string().describe('Without `@`; empty for a suspended account.'),
  })
  .meta({ id: 'HubJoinRequester', description: 'An applicant by their public profile.' });

export const JoinRequest = z
  .strictObject({
    id: id.describe('The id by which an admin decides.'),
    user: Requester,
    state: JoinRequestState,
    source: JoinRequestSource,
    createdAt: timestamp.describe('When the person asked to join.'),
  })
  .meta({ id: 'HubJoinRequest', description: 'A join request in the list of a Hub.' });

export const NewJoinRequest = z
  .strictObject({
    id: id.describe('The id by which the caller withdraws the request.'),
    hubId: id.describe('The Hub of the invite link.'),
    state: JoinRequestState,
  })
  .meta({ id: 'NewHubJoinRequest', description: 'A new join request.' });

export const JoinRequestDecision = z
  .strictObject({ id: id.describe('The id of the join request.'), state: JoinRequestState })
  .meta({ id: 'HubJoinRequestDecision', description: 'A decided join request.' });

/** Body and answer of the change of settings. */
export const HubSettings = z
  .strictObject({
    contentMuted: z
      .boolean()
      .describe('True turns notifications of posts, reposts and shares in the Hub off.'),
  })
  .meta({
    id: 'HubSettings',
    description: 'The notification settings of a member for a Hub, which survive leaving.',
  });
