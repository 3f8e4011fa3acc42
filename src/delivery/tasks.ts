import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Objects } from '../storage/objects.ts';
import { finishDepartures } from './departures.ts';
import type { Dispatch } from './dispatch.ts';
import type { Duty } from './duty.ts';
import { fanOutMilestones, foldVotes } from './fold.ts';
import { publishHints } from './hints.ts';
import { fanOut, foldInboxCounts } from './inbox.ts';
import { pushToDevices } from './push.ts';
import { removeExpiredObjects, sweepUploads } from './storage-clean-up.ts';
import { upkeep } from './upkeep.ts';

/** Every task of the worker, by the edge function that runs it where there is no worker. */
export interface Tasks {
  /** Delivers notifications. */
  readonly push: readonly Duty[];
  /** Does everything else, the most urgent first. */
  readonly upkeep: readonly Duty[];
}

/** What tasks work with. */
export interface TaskOptions {
  readonly db: Kysely<DB>;
  readonly dispatch: Dispatch;
  readonly objects: Objects;
  /** They open pending votes; the first seals them again. */
  readonly keys: readonly string[];
  /** Whether they run once a minute, or in their intervals. */
  readonly runsOncePerMinute: boolean;
}

export function createTasks({ db, dispatch, objects, keys, runsOncePerMinute }: TaskOptions): Tasks {
  return {
    push: [
      fanOutMilestones(db),
      fanOut(db),
      foldInboxCounts(db),
      publishHints(db, dispatch),
      pushToDevices(db, dispatch),
    ],
    upkeep: [
      foldVotes(db, keys, runsOncePerMinute),
      finishDepartures(db),
      removeExpiredObjects(db, objects),
      sweepUploads(db, objects),
      ...upkeep(db),
    ],
  };
}
