import type { Route } from '../http/handler.ts';
import { account } from './account.ts';
import { comments } from './comments.ts';
import { discussions } from './discussions.ts';
import { hubInvitations } from './hub-invitations.ts';
import { hubJoining } from './hub-joining.ts';
import { hubMembers } from './hub-members.ts';
import { hubs } from './hubs.ts';
import { notifications } from './notifications.ts';
import { onboarding } from './onboarding.ts';
import { people } from './people.ts';
import { posts } from './posts.ts';
import { profiles } from './profiles.ts';
import { relations } from './relations.ts';
import { reports } from './reports.ts';
import { sessions } from './sessions.ts';
import { shares } from './shares.ts';
import { staff } from './staff.ts';
import { staffAccounts } from './staff-accounts.ts';
import { staffReports } from './staff-reports.ts';
import { staffUpkeep } from './staff-upkeep.ts';
import { uploads } from './uploads.ts';
import { votes } from './votes.ts';

/** Every operation of the API, in the order of the document. */
export const ROUTES: readonly Route[] = [
  ...sessions,
  ...account,
  ...onboarding,
  ...uploads,
  ...people,
  ...profiles,
  ...relations,
  ...posts,
  ...comments,
  ...votes,
  ...shares,
  ...reports,
  ...hubs,
  ...hubMembers,
  ...hubInvitations,
  ...hubJoining,
  ...discussions,
  ...notifications,
  ...staff,
  ...staffReports,
  ...staffAccounts,
  ...staffUpkeep,
];
