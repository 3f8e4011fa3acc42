import { z } from 'zod';
import { id, idOrEmpty, pattern, text, textElsewhere, timestamp } from '../../contract/values.ts';

const count = z.int().nonnegative();

/** The role of a member. */
export const HubRole = z.enum(['member', 'manager', 'admin']).meta({ id: 'HubRole' });

/** The custom link of a Hub. */
export const customLink = pattern(/^[a-z0-9-]{3,40}$/, 'Must be 3 to 40 of a-z, 0-9 and -.');

const name = text(2, 80);
const description = text(0, 500);

const profileAssetId = id.nullish().meta({ description: 'A completed hub_photo.' });

/** The body of POST /hubs. */
export const NewHub = z
  .strictObject({
    name,
    description: description.nullish(),
    profileAssetId,
    customLink: customLink.nullish(),
  })
  .meta({ id: 'NewHub' });

/** The body of PATCH /hubs/{hubId}. */
export const HubChanges = z
  .strictObject({
    name: name.optional(),
    description: description.nullish(),
    profileAssetId: profileAssetId.meta({ description: 'A completed hub_photo; null removes the photo.' }),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: 'Needs at least one field.',
  })
  .meta({ id: 'HubChanges' });

const previewFields = {
  id,
  name: z.string(),
  description: z.string(),
  profilePhotoUrl: z.url().nullable(),
  memberCount: count,
};

const viewerStatus = z
  .enum(['none', 'invited', 'pending_admin_approval', 'member'])
  .meta({ id: 'HubViewerStatus' });

const openIds = {
  invitationId: id.optional().meta({ description: "The viewer's open invitation." }),
  joinRequestId: id.optional().meta({ description: "The viewer's open join request." }),
};

/** A Hub as non-members see it. */
export const HubPreview = z
  .strictObject({ ...previewFields, viewerStatus, viewerRole: HubRole.nullable(), ...openIds })
  .meta({ id: 'HubPreview' });

/** A Hub: complete for active members; for others the preview with their open invitation or join request. */
export const Hub = z
  .strictObject({
    ...previewFields,
    customLink: z.string().nullable().optional().meta({ description: 'For members only.' }),
    activeUsers24h: count.optional().meta({ description: 'For members only.' }),
    viewerStatus,
    viewerRole: HubRole.nullable().meta({ description: 'Null for non-members.' }),
    ...openIds,
  })
  .meta({ id: 'Hub' });

/** A member as other members see them. */
export const HubMember = z
  .strictObject({
    userId: id,
    displayName: z.string(),
    profilePhotoUrl: z.url().nullable(),
    username: z.string(),
    phoneNumber: z.string(),
    role: HubRole,
    joinedAt: timestamp,
  })
  .meta({ id: 'HubMember' });

/** The state of an invitation. */
export const InvitationState = z
  .enum(['pending', 'accepted', 'declined', 'expired'])
  .meta({ id: 'HubInvitationState' });

/** A new invitation, or a number that nobody can have. No other answer holds the URL, and none once it leads nowhere. */
export const NewInvitation = z
  .strictObject({
    id: id.nullable(),
    phoneNumber: z.string().meta({ description: 'E.164; an invalid number as it was sent.' }),
    state: z.enum([...InvitationState.options, 'invalid']).meta({
      id: 'NewHubInvitationState',
      description:
        '`pending`, or the state of now where a request is repeated with its Idempotency-Key. Nobody can have an `invalid` number: the other fields are null.',
    }),
    inviteUrl: z.url().nullable().meta({ description: 'Null unless the invitation is pending.' }),
    shareText: z.string().nullable(),
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'NewHubInvitation' });

const HubInviter = z.strictObject({ userId: idOrEmpty, displayName: z.string() }).meta({ id: 'HubInviter' });

/** An invitation in the list of a Hub. */
export const Invitation = z
  .strictObject({
    id,
    phoneNumber: z.string(),
    state: InvitationState,
    expiresAt: timestamp,
    inviteUrl: textElsewhere('Only the answer to the creation holds it.'),
    shareText: textElsewhere(),
    invitedBy: HubInviter,
  })
  .meta({ id: 'HubInvitation' });

/** An invitation as the holder of its token sees it. */
export const InvitationPreview = z
  .strictObject({
    id,
    state: InvitationState,
    expiresAt: timestamp,
    hub: HubPreview,
    invitedBy: HubInviter.pick({ displayName: true }).meta({ id: 'HubInviterName' }),
  })
  .meta({ id: 'HubInvitationPreview' });

/** The result of accepting an invitation. */
export const Acceptance = z
  .strictObject({ hubId: id, viewerStatus, joinRequestId: id.nullable() })
  .meta({ id: 'HubInvitationAcceptance' });

const link = {
  id,
  expiresAt: timestamp,
  maxUses: z.int().positive().nullable(),
  useCount: count,
  createdAt: timestamp,
};

/** A new invite link. No other answer holds its token. */
export const NewInviteLink = z
  .strictObject({ ...link, token: z.string(), url: z.url() })
  .meta({ id: 'NewHubInviteLink' });

/** An invite link in the list of a Hub. */
export const InviteLink = z
  .strictObject({
    ...link,
    token: textElsewhere('Only the answer to the creation holds it.'),
    url: textElsewhere(),
  })
  .meta({ id: 'HubInviteLink' });

/** An invite link as the holder of its token sees it. */
export const InviteLinkPreview = z
  .strictObject({ hub: HubPreview, expiresAt: timestamp, viewerStatus })
  .meta({ id: 'HubInviteLinkPreview' });

/** The state of a join request. */
export const JoinRequestState = z
  .enum(['pending_admin_approval', 'approved', 'rejected'])
  .meta({ id: 'HubJoinRequestState' });

/** The way that led to a join request. */
export const JoinRequestSource = z
  .enum(['invite_link', 'member_invitation'])
  .meta({ id: 'HubJoinRequestSource' });

const Requester = z
  .strictObject({
    userId: idOrEmpty,
    displayName: z.string(),
    profilePhotoUrl: z.url().nullable(),
    username: z.string(),
  })
  .meta({ id: 'HubJoinRequester' });

/** A join request in the list of a Hub. */
export const JoinRequest = z
  .strictObject({
    id,
    user: Requester,
    state: JoinRequestState,
    source: JoinRequestSource,
    createdAt: timestamp,
  })
  .meta({ id: 'HubJoinRequest' });

/** A new join request. */
export const NewJoinRequest = z
  .strictObject({ id, hubId: id, state: JoinRequestState })
  .meta({ id: 'NewHubJoinRequest' });

/** A decided join request. */
export const JoinRequestDecision = z
  .strictObject({ id, state: JoinRequestState })
  .meta({ id: 'HubJoinRequestDecision' });

/** The notification settings of a member for a Hub. */
export const HubSettings = z.strictObject({ contentMuted: z.boolean() }).meta({ id: 'HubSettings' });
