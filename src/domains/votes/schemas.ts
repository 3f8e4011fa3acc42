import { z } from 'zod';
import { id } from '../../contract/values.ts';

/** The five positions of a slider, in order. */
export const Position = z
  .enum(['strong_left', 'left', 'neutral', 'right', 'strong_right'])
  .meta({ id: 'Position' });

const count = z.int().nonnegative();

/** The three-bucket summary of a pool. */
export const VoteSummary = z
  .strictObject({
    totalVotes: count,
    resultsVisible: z.boolean().meta({ description: 'False at zero votes.' }),
    leftCount: count.nullable(),
    neutralCount: count.nullable(),
    rightCount: count.nullable(),
  })
  .meta({ id: 'VoteSummary' });

/** The five positions with their counts; empty at zero votes. */
export const VoteDistribution = z
  .array(z.strictObject({ position: Position, count }).meta({ id: 'PositionCount' }))
  .meta({ id: 'VoteDistribution' });

/** The displayed pool. */
export const VoteScope = z
  .strictObject({ type: z.enum(['global', 'hub']).meta({ id: 'VoteScopeType' }), hubId: id.nullable() })
  .meta({ id: 'VoteScope' });
