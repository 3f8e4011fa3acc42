import { z } from 'zod';
import { HubName, id, timestamp } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, distribution, globalScope, HUB_ID, POST_ID, summary } from '../examples.ts';
import { Position, VoteDistribution, VoteScope, VoteSummary } from './schemas.ts';

const params = { postId: 'POST_NOT_FOUND' } as const;

const query = z.object({ hubId: id.optional().describe('A Hub of the caller, whose votes to show.') });

const postId = id.describe('The id of the post.');

const SCOPE =
  "The scope of a public post is global; the scope of a private post is the earliest of the caller's Hubs. `hubId` selects the scope of that Hub.";

/** Votes (docs/product.md V1-V14). */
export const votes: readonly Operation[] = [
  {
    id: 'cast_vote',
    revokesAccess: false,
    method: 'post',
    path: '/posts/{postId}/vote',
    tag: 'Votes',
    summary: 'Vote on a slider, once and for good',
    description:
      "Counts the position and discards it: no row links it to a person, and no answer holds it. The vote counts globally, unless the post is private, and in each of the caller's Hubs where the post is. The summary has the displayed scope.",
    auth: 'required',
    level: 2,
    params,
    query,
    body: z.strictObject({ position: Position }).describe('A vote.'),
    data: z
      .strictObject({ postId, summary: VoteSummary })
      .meta({ id: 'VoteResult', description: 'The result that includes the vote.' }),
    status: 201,
    message: 'Vote counted.',
    errors: ['POST_NOT_VOTABLE', 'VOTE_NOT_ALLOWED', 'VOTE_ALREADY_CAST', 'RATE_LIMITED'],
    example: { body: { position: 'strong_right' }, data: { postId: POST_ID, summary } },
    gateway: 'serializable',
    fromConfig: (config) => ({
      activityDelay: config.VOTE_ACTIVITY_DELAY_SECONDS,
      activityMinimum: config.VOTE_ACTIVITY_MINIMUM,
      pendingVoteKeys: config.PENDING_VOTE_KEY,
    }),
  },
  {
    id: 'get_my_vote',
    method: 'get',
    path: '/posts/{postId}/vote/me',
    tag: 'Votes',
    summary: 'Get whether the caller has voted',
    auth: 'required',
    level: 2,
    params,
    data: z
      .strictObject({
        postId,
        hasVoted: z.boolean().describe('Whether the caller has voted.'),
        votedAt: timestamp.nullable().describe('To the minute; null without a vote.'),
      })
      .meta({ id: 'MyVote', description: "The caller's receipt of a vote, which holds no position." }),
    status: 200,
    message: 'Vote status.',
    errors: ['POST_NOT_VOTABLE'],
    example: { data: { postId: POST_ID, hasVoted: true, votedAt: AT } },
  },
  {
    id: 'get_vote_summary',
    method: 'get',
    path: '/posts/{postId}/vote/summary',
    tag: 'Votes',
    summary: 'Get the result in three buckets',
    description: SCOPE,
    auth: 'optional',
    params,
    query,
    data: z.strictObject({ postId, scope: VoteScope, summary: VoteSummary }).meta({
      id: 'ScopedVoteSummary',
      description: 'The result of a post in three buckets, with its scope.',
    }),
    status: 200,
    message: 'Vote summary.',
    errors: ['POST_NOT_VOTABLE'],
    example: { data: { postId: POST_ID, scope: globalScope, summary } },
  },
  {
    id: 'get_vote_distribution',
    method: 'get',
    path: '/posts/{postId}/vote/distribution',
    tag: 'Votes',
    summary: 'Get the result in all five positions',
    description: SCOPE,
    auth: 'optional',
    params,
    query,
    data: z
      .strictObject({
        postId,
        scope: VoteScope,
        totalVotes: z.int().describe('All votes in the scope.'),
        distribution: VoteDistribution,
      })
      .meta({
        id: 'ScopedVoteDistribution',
        description: 'The result of a post in all five positions, with its scope.',
      }),
    status: 200,
    message: 'Vote distribution.',
    errors: ['POST_NOT_VOTABLE'],
    example: { data: { postId: POST_ID, scope: globalScope, totalVotes: 12, distribution } },
  },
  {
    id: 'get_hub_votes',
    method: 'get',
    path: '/posts/{postId}/vote/hubs',
    tag: 'Votes',
    summary: "Get the results in the caller's Hubs",
    description: "Lists the caller's Hubs where the post is; none for a guest.",
    auth: 'optional',
    params,
    data: z
      .strictObject({
        postId,
        items: z
          .array(
            z
              .strictObject({ hub: HubName, summary: VoteSummary, distribution: VoteDistribution })
              .meta({ id: 'HubVotes', description: 'The result of a post in one Hub.' }),
          )
          .describe('In the order of `hubs` of its card.'),
      })
      .meta({ id: 'VotesByHub', description: "The results of a post in the caller's Hubs." }),
    status: 200,
    message: 'Votes in Hubs.',
    errors: ['POST_NOT_VOTABLE'],
    example: {
      data: { postId: POST_ID, items: [{ hub: { id: HUB_ID, name: 'Elm Street' }, summary, distribution }] },
    },
  },
];
