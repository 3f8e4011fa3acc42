import { urlOf } from '../db/logins.ts';
import { openWorkerDatabase } from '../db/worker-database.ts';
import type { Services } from '../services.ts';
import { finishDepartures } from './departures.ts';
import { createDispatch } from './dispatch.ts';
import { fanOutMilestones, foldVotes } from './fold.ts';
import { publishHints } from './hints.ts';
import { fanOut, foldInboxCounts } from './inbox.ts';
import { pushToDevices } from './push.ts';
import { createSender } from './sender.ts';
import { removeExpiredObjects, sweepUploads } from './storage-clean-up.ts';
import { upkeep } from './upkeep.ts';
import { startWorker } from './worker.ts';

/** A worker with everything that it does. */
export interface Delivery {
  /** Begins nothing more, and ends when what is under way has been noted. */
  stop(): Promise<void>;
}

/** Starts a worker with all its duties, and connections of its own. */
export function startDelivery({ config, log, secrets, objects }: Services): Delivery {
  const db = openWorkerDatabase(urlOf(config.DATABASE_URL, 'opine_worker'), () =>
    log.warn('lost an idle database connection'),
  );
  const sender = createSender(config);
  const dispatch = createDispatch(db, sender, secrets, log);
  const worker = startWorker(
    [
      ...upkeep(db),
      foldVotes(db, config.PENDING_VOTE_KEY),
      fanOutMilestones(db),
      fanOut(db),
      foldInboxCounts(db),
      publishHints(db, dispatch),
      pushToDevices(db, dispatch),
      finishDepartures(db),
      removeExpiredObjects(db, objects),
      sweepUploads(db, objects),
    ],
    log,
  );
  return {
    stop: async () => {
      await worker.stop();
      await dispatch.idle();
      await Promise.all([db.destroy(), sender?.close()]);
    },
  };
}
