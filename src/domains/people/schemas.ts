import { z } from 'zod';
import { id, idOrEmpty, timestamp } from '../../contract/values.ts';

const count = z.int().nonnegative();

const photoUrl = z.url().nullable();

export const UserLite = z
  .strictObject({
    id: idOrEmpty,
    username: z.string().describe('Without `@`; empty for an anonymous person.'),
    name: z.string().describe('The public name; empty for an anonymous person.'),
    profilePhotoUrl: photoUrl.describe('A stable public URL; null without a photo.'),
    isAnonymous: z
      .boolean()
      .describe('True for a person without id and name: an ended or suspended account.'),
  })
  .meta({
    id: 'UserLite',
    description: 'A person on a card or in a list; a suspended or ended account has empty strings.',
  });

const ViewerRelation = z
  .strictObject({
    follows: z.boolean().describe('Whether the viewer follows the person.'),
    followedBy: z.boolean().describe('Whether the person follows the viewer.'),
    blocking: z.boolean().describe('Whether the viewer blocks the person.'),
    publicPostsMuted: z.boolean().describe('Whether the viewer follows them without publication alerts.'),
  })
  .meta({ id: 'ViewerRelation', description: "The viewer's relation to a person." });

const FollowCounts = z
  .strictObject({
    followers: count.describe('How many people follow the person.'),
    following: count.describe('How many people the person follows.'),
  })
  .meta({ id: 'FollowCounts', description: 'The follows of a person, those of suspended people included.' });

const ActivityCounts = z
  .strictObject({
    posts: count.describe('Originals that the viewer sees.'),
    reposts: count.describe('Reposts that the viewer sees.'),
    comments: count.describe('All comments of the person.'),
    votes: count.describe('Exact for the owner; for others half an hour late, in steps of half an hour.'),
  })
  .meta({ id: 'ActivityCounts', description: 'The activity of a person.' });

const AdminHub = z
  .strictObject({
    id: id.describe('The id of the Hub.'),
    name: z.string().describe('Its name.'),
    profilePhotoUrl: photoUrl.describe('A stable public URL; null without a photo.'),
  })
  .meta({ id: 'AdminHub', description: 'A Hub on the public profile of one of its admins.' });

export const PublicProfile = z
  .strictObject({
    id: id.describe('The id of the person, which never changes.'),
    name: z.string().describe('The public name.'),
    username: z.string().describe('Without `@`; the person may change it.'),
    bio: z.string().nullable().describe('Null without one.'),
    profilePhotoUrl: photoUrl.describe('A stable public URL; null without a photo.'),
    isAnonymous: z
      .boolean()
      .describe('True until profile basics are saved, which only the own profile shows.'),
    counts: FollowCounts,
    activity: ActivityCounts,
    adminHubs: z
      .array(AdminHub)
      .describe('The Hubs that the person is admin of, first joined first. Other memberships are private.'),
    viewer: ViewerRelation.nullable().meta({ description: 'Null for a guest.' }),
  })
  .meta({ id: 'PublicProfile', description: 'The public profile of a person.' });

const EditableProfile = z
  .strictObject({
    fullName: z.string().nullable().describe('The public name; null while the user is anonymous.'),
    username: z.string().nullable().describe('Null while the user is anonymous.'),
    bio: z.string().nullable().describe('Null without one.'),
    profileAssetId: id.nullable().describe('The asset of the photo; null without one.'),
  })
  .meta({ id: 'EditableProfile', description: 'The fields that a change of the profile takes.' });

export const OwnProfile = PublicProfile.extend({
  name: z.string().nullable().describe('The public name; null while the user is anonymous.'),
  username: z.string().nullable().describe('Null while the user is anonymous.'),
  viewer: ViewerRelation,
  fullName: z.string().nullable().describe('The same as `name`.'),
  phoneNumber: z.string().nullable().describe('E.164; null until a phone is verified.'),
  level: z.int().min(1).max(4).describe('What the caller may do now.'),
  createdAt: timestamp.describe('When the account was created.'),
  editable: EditableProfile,
}).meta({ id: 'OwnProfile', description: "The caller's profile: the public one and what only they see." });

export const ListedPerson = UserLite.extend({
  viewerFollows: z.boolean().describe('Whether the caller follows the person.'),
}).meta({ id: 'ListedPerson', description: 'A person in a list of followers or of following.' });

export const BlockedPerson = UserLite.extend({
  blockedAt: timestamp.describe('When the caller blocked the person.'),
}).meta({ id: 'BlockedPerson', description: "A person in the caller's list of blocks." });

export const FoundPerson = z
  .strictObject({
    id: id.describe('The id of the person.'),
    name: z.string().describe('The public name.'),
    username: z.string().describe('Without `@`.'),
    profilePhotoUrl: photoUrl.describe('A stable public URL; null without a photo.'),
    bio: z.string().nullable().describe('Null without one.'),
    viewerFollows: z.boolean().optional().meta({ description: 'Present for a caller with a session.' }),
  })
  .meta({ id: 'FoundPerson', description: 'A result of people search.' });

export const HubProfile = z
  .strictObject({
    displayName: z.string().describe('The public name until the owner sets another.'),
    profilePhotoUrl: photoUrl.describe('A stable public URL, apart from the public photo; null without one.'),
    phoneNumber: z.string().describe('The verified phone of the owner, in E.164.'),
    profileAssetId: id.nullable().describe('The asset of the photo; null without one.'),
  })
  .meta({ id: 'HubProfile', description: 'The private Hub profile: only people in a common Hub see it.' });

export const FollowState = z
  .strictObject({ following: z.boolean().describe('Whether the caller follows the person now.') })
  .meta({ id: 'FollowState', description: 'Whether the caller follows a person.' });

/** Body and answer of the change of a follow. */
export const FollowSettings = z
  .strictObject({ publicPostsMuted: z.boolean().describe('True turns notifications of public posts off.') })
  .meta({ id: 'FollowSettings', description: 'The publication alerts of a follow, which turns them on.' });

export const BlockState = z
  .strictObject({ blocked: z.boolean().describe('Whether the caller blocks the person now.') })
  .meta({ id: 'BlockState', description: 'Whether the caller blocks a person.' });

/** The argument that chooses a photo. */
export const profileAssetId = id
  .nullish()
  .meta({ description: 'A completed profile_photo; null removes the photo.' });

/** Returns whether a change changes something. */
export const hasAnyField = (body: object) => Object.values(body).some((value) => value !== undefined);
