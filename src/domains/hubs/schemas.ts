import { z } from 'zod';
import { id, idOrEmpty, pattern, text, timestamp } from '../../contract/values.ts';

const count = z.int().nonnegative();

/** What a member may do in a Hub. */
export const HubRole = z.enum(['member', 'manager', 'admin']).meta({ id: 'HubRole' });

/** The address of a Hub that its admins choose. */
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

const shown = {
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
  invitationId: id.optional().meta({ description: 'Where the viewer is invited.' }),
  joinRequestId: id.optional().meta({ description: 'Where the viewer asks to join.' }),
};

/** A Hub as anybody may see it. */
export const HubPreview = z
  .strictObject({ ...shown, viewerStatus, viewerRole: HubRole.nullable(), ...openIds })
  .meta({ id: 'HubPreview' });

/** A Hub: to its active members all of it, to others the preview and what is open between them and it. */
export const Hub = z
  .strictObject({
    ...shown,
    customLink: z.string().nullable().optional().meta({ description: 'To members only.' }),
    activeUsers24h: count.optional().meta({ description: 'To members only.' }),
    viewerStatus,
    viewerRole: HubRole.nullable().meta({ description: 'Null unless the viewer is an active member.' }),
    ...openIds,
  })
  .meta({ id: 'Hub' });

/** A member, as the other members see them. */
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

/** What became of an invitation. */
export const InvitationState = z
  .enum(['pending', 'accepted', 'declined', 'expired'])
  .meta({ id: 'HubInvitationState' });

const invitation = { id, phoneNumber: z.string(), state: InvitationState, expiresAt: timestamp };

/** An invitation that was just made: the only time that its address is shown. */
export const NewInvitation = z
  .strictObject({ ...invitation, inviteUrl: z.url(), shareText: z.string() })
  .meta({ id: 'NewHubInvitation' });

/** An invitation in the list of a Hub. */
export const Invitation = z
  .strictObject({
    ...invitation,
    inviteUrl: z.null().meta({ description: 'Shown when it is made, and never again.' }),
    shareText: z.null(),
    invitedBy: z.strictObject({ userId: idOrEmpty, displayName: z.string() }),
  })
  .meta({ id: 'HubInvitation' });

/** An invitation as whoever has its address sees it. */
export const InvitationPreview = z
  .strictObject({
    id,
    state: InvitationState,
    expiresAt: timestamp,
    hub: HubPreview,
    invitedBy: z.strictObject({ displayName: z.string() }),
  })
  .meta({ id: 'HubInvitationPreview' });

/** What came of accepting an invitation. */
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

/** An invite link that was just made: the only time that its token is shown. */
export const NewInviteLink = z
  .strictObject({ ...link, token: z.string(), url: z.url() })
  .meta({ id: 'NewHubInviteLink' });

/** An invite link in the list of a Hub. */
export const InviteLink = z
  .strictObject({
    ...link,
    token: z.null().meta({ description: 'Shown when it is made, and never again.' }),
    url: z.null(),
  })
  .meta({ id: 'HubInviteLink' });

/** An invite link as whoever has it sees it. */
export const InviteLinkPreview = z
  .strictObject({ hub: HubPreview, expiresAt: timestamp, viewerStatus })
  .meta({ id: 'HubInviteLinkPreview' });

const open = z.literal('pending_admin_approval');

/** A join request in the list of a Hub. */
export const JoinRequest = z
  .strictObject({
    id,
    user: z.strictObject({
      userId: idOrEmpty,
      displayName: z.string(),
      profilePhotoUrl: z.url().nullable(),
      username: z.string(),
    }),
    state: open,
    source: z.enum(['invite_link', 'member_invitation']),
    createdAt: timestamp,
  })
  .meta({ id: 'HubJoinRequest' });

/** A join request that was just made. */
export const NewJoinRequest = z
  .strictObject({ id, hubId: id, state: open })
  .meta({ id: 'NewHubJoinRequest' });

/** What became of a join request. */
export const JoinRequestDecision = z
  .strictObject({ id, state: z.enum(['approved', 'rejected']) })
  .meta({ id: 'HubJoinRequestDecision' });

/** What a member wants to be told of a Hub. */
export const HubSettings = z.strictObject({ contentMuted: z.boolean() }).meta({ id: 'HubSettings' });
