import { z } from 'zod';
import { filterText, id, listPage, nothing, page } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author } from '../examples.ts';
import { HubMember, HubRole } from './schemas.ts';

const params = { hubId: 'HUB_NOT_FOUND' } as const;
const ofMember = { ...params, userId: 'MEMBER_NOT_FOUND' } as const;
const data = z
  .strictObject({ userId: id.describe('The id of the member.'), role: HubRole })
  .meta({ id: 'RoleAssignment', description: 'The role of a member after the change.' });

const members = {
  items: [
    {
      userId: author.id,
      displayName: 'Amara C.',
      profilePhotoUrl: null,
      username: author.username,
      phoneNumber: '+12025550103',
      role: 'admin',
      joinedAt: AT,
    },
  ],
  nextCursor: null,
};

/** Members of Hubs and their roles (docs/product.md H8, H16-H18, H23). */
export const hubMembers: readonly Operation[] = [
  {
    id: 'list_members',
    method: 'get',
    path: '/hubs/{hubId}/members',
    tag: 'Hub members',
    summary: 'List the members of a Hub, last joined first',
    description:
      'For members. `q` selects members by the beginning of the username or of a word of the name, in alphabetical order.',
    auth: 'required',
    level: 4,
    params,
    query: z.object({
      q: filterText.meta({ description: 'The beginning of the username or of a word of the name.' }),
      ...listPage,
    }),
    data: page(HubMember),
    status: 200,
    message: 'Members.',
    example: { data: members },
  },
  {
    id: 'remove_member',
    method: 'post',
    path: '/hubs/{hubId}/members/{userId}/remove',
    tag: 'Hub members',
    summary: 'Remove a member',
    description:
      'For admins. Removing oneself is leaving. `removePosts` takes all that the member placed in the Hub out of it: own posts and shares.',
    auth: 'required',
    level: 4,
    params: ofMember,
    body: z
      .strictObject({
        removePosts: z
          .boolean()
          .optional()
          .describe('True also takes out of the Hub what the member placed there.'),
      })
      .describe('What becomes of the posts of the member in the Hub.'),
    data: nothing,
    status: 200,
    message: 'Member removed.',
    errors: ['LAST_ADMIN'],
    example: { body: { removePosts: true }, data: {} },
  },
  {
    id: 'leave_hub',
    method: 'delete',
    path: '/hubs/{hubId}/membership',
    tag: 'Hub members',
    summary: 'Leave a Hub',
    description:
      'The last admin cannot leave while other members remain. The last member who leaves closes the Hub.',
    auth: 'required',
    level: 4,
    params,
    data: nothing,
    status: 200,
    message: 'You left the Hub.',
    errors: ['LAST_ADMIN'],
    example: { data: {} },
  },
  {
    id: 'list_admins',
    method: 'get',
    path: '/hubs/{hubId}/admins',
    tag: 'Hub members',
    summary: 'List the admins and managers of a Hub',
    description: 'For members.',
    auth: 'required',
    level: 4,
    params,
    query: z.object(listPage),
    data: page(HubMember),
    status: 200,
    message: 'Admins and managers.',
    example: { data: members },
  },
  {
    id: 'add_admin',
    method: 'post',
    path: '/hubs/{hubId}/admins',
    tag: 'Hub members',
    summary: 'Make a member an admin or a manager',
    description: 'For admins.',
    auth: 'required',
    level: 4,
    params,
    body: z
      .strictObject({
        userId: id.describe('The id of the member.'),
        role: z
          .enum(['admin', 'manager'])
          .default('admin')
          .meta({ id: 'HubStaffRole', description: 'The role to give.' }),
      })
      .describe('A member and the role to give.'),
    data,
    status: 200,
    message: 'Role changed.',
    errors: ['MEMBER_NOT_FOUND', 'LAST_ADMIN', 'RATE_LIMITED'],
    example: { body: { userId: author.id, role: 'manager' }, data: { userId: author.id, role: 'manager' } },
  },
  {
    id: 'remove_admin',
    method: 'delete',
    path: '/hubs/{hubId}/admins/{userId}',
    tag: 'Hub members',
    summary: "Remove a member's admin or manager role",
    description: 'For admins.',
    auth: 'required',
    level: 4,
    params: ofMember,
    data,
    status: 200,
    message: 'Role changed.',
    errors: ['LAST_ADMIN', 'RATE_LIMITED'],
    example: { data: { userId: author.id, role: 'member' } },
  },
];
