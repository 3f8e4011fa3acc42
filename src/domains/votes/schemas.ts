import { z } from 'zod';
import { id } from '../../contract/values.ts';

export const Position = z
  .enum(['strong_left', 'left', 'neutral', 'right', 'strong_right'])
  .meta({ id: 'Position', description: 'One of the five positions of a slider, from left to right.' });

const count = z.int().nonnegative();

export const VoteSummary = z
  .strictObject({
    totalVotes: count.describe('All votes in the scope.'),
    resultsVisible: z.boolean().meta({ description: 'False at zero votes.' }),
    leftCount: count.nullable().describe('Votes for `strong_left` and `left`; null at zero votes.'),
    neutralCount: count.nullable().describe('Votes for `neutral`; null at zero votes.'),
    rightCount: count.nullable().describe('Votes for `right` and `strong_right`; null at zero votes.'),
  })
  .meta({ id: 'VoteSummary', description: 'The votes in a scope, in three buckets.' });

export const VoteDistribution = z
  .array(
    z
      .strictObject({ position: Position, count: count.describe('Votes for this position.') })
      .meta({ id: 'PositionCount', description: 'The votes for one position.' }),
  )
  .meta({
    id: 'VoteDistribution',
    description: 'All five positions in order; empty at zero votes. Cards have it for a viewer who voted.',
  });

export const VoteScope = z
  .strictObject({
    type: z.enum(['global', 'hub']).meta({
      id: 'VoteScopeType',
      description: 'All votes on a post, or those that count in one of its Hubs.',
    }),
    hubId: id.nullable().describe('Null for the global scope.'),
  })
  .meta({ id: 'VoteScope', description: 'Which votes a result counts.' });
