import { z } from 'zod';
import { Position, VoteDistribution, VoteScope, VoteSummary } from '../contract/models/votes.ts';
import { id, timestamp } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { AT, distribution, globalScope, POST_ID, summary } from './examples.ts';

const params = { postId: 'POST_NOT_FOUND' } as const;

/** Votes (spec.md "F. Votes, shares, reports"). */
export const votes: readonly Route[] = [
  {
    id: 'cast_vote',
    method: 'post',
    path: '/posts/{postId}/vote',
    tag: 'Votes',
    summary: 'Vote on a slider, once and for good',
    description: 'The position is counted and forgotten: it is stored with nobody and never answered.',
    auth: 'required',
    level: 2,
    params,
    body: z.strictObject({ position: Position }),
    data: z.strictObject({ postId: id, summary: VoteSummary }),
    status: 201,
    message: 'Vote counted.',
    errors: ['POST_NOT_VOTABLE', 'VOTE_NOT_ALLOWED', 'VOTE_ALREADY_CAST'],
    example: { body: { position: 'strong_right' }, data: { postId: POST_ID, summary } },
    gateway: 'serializable',
    fromConfig: (config) => ({ activityDelay: config.VOTE_ACTIVITY_DELAY_SECONDS }),
  },
  {
    id: 'get_my_vote',
    method: 'get',
    path: '/posts/{postId}/vote/me',
    tag: 'Votes',
    summary: 'Whether the caller has voted',
    auth: 'required',
    level: 2,
    params,
    data: z.strictObject({ postId: id, hasVoted: z.boolean(), votedAt: timestamp.nullable() }),
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
    summary: 'The result in three buckets',
    auth: 'optional',
    params,
    data: z.strictObject({ postId: id, scope: VoteScope, summary: VoteSummary }),
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
    summary: 'The result in all five positions',
    auth: 'optional',
    params,
    data: z.strictObject({
      postId: id,
      scope: VoteScope,
      totalVotes: z.int(),
      distribution: VoteDistribution,
    }),
    status: 200,
    message: 'Vote distribution.',
    errors: ['POST_NOT_VOTABLE'],
    example: { data: { postId: POST_ID, scope: globalScope, totalVotes: 12, distribution } },
  },
];
