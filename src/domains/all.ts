import type { Operation } from '../http/operation.ts';
import { accounts } from './accounts/operations.ts';
import { cards } from './cards/operations.ts';
import { comments } from './comments/operations.ts';
import { discussions } from './discussions/operations.ts';
import { feeds } from './feeds/operations.ts';
import { hubInvitations } from './hubs/invitations.ts';
import { hubJoining } from './hubs/joining.ts';
import { hubMembers } from './hubs/members.ts';
import { hubs } from './hubs/operations.ts';
import { account } from './identity/account.ts';
import { onboarding } from './identity/onboarding.ts';
import { sessions } from './identity/operations.ts';
import { uploads } from './media/operations.ts';
import { staffAccounts } from './moderation/accounts.ts';
import { staffMembers } from './moderation/members.ts';
import { decisions, reports } from './moderation/operations.ts';
import { staffReports } from './moderation/queue.ts';
import { staff } from './moderation/staff.ts';
import { staffUpkeep } from './moderation/upkeep.ts';
import { notifications } from './notifications/operations.ts';
import { people } from './people/operations.ts';
import { relations } from './people/relations.ts';
import { posts } from './posts/operations.ts';
import { profiles } from './profiles/operations.ts';
import { votes } from './votes/operations.ts';

/** Every operation of the API, in the order of the OpenAPI document. */
export const ROUTES: readonly Operation[] = [
  ...sessions,
  ...account,
  ...accounts,
  ...onboarding,
  ...uploads,
  ...people,
  ...profiles,
  ...relations,
  ...feeds,
  ...cards,
  ...comments,
  ...votes,
  ...posts,
  ...reports,
  ...decisions,
  ...hubs,
  ...hubMembers,
  ...hubInvitations,
  ...hubJoining,
  ...discussions,
  ...notifications,
  ...staff,
  ...staffReports,
  ...staffAccounts,
  ...staffMembers,
  ...staffUpkeep,
];
