import { Agent } from 'node:https';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type TokenMessage } from 'firebase-admin/messaging';
import pLimit from 'p-limit';
import type { ServiceAccount } from '../auth/service-account.ts';
import { createAccess } from './access.ts';
import { messageTo } from './message.ts';
import type { Push, PushResult, PushSender } from './push.ts';
import { judge } from './refusal.ts';

const CONCURRENCY = 50;
const DEADLINE_MS = 20_000;

/**
 * Sends push messages by Firebase Cloud Messaging. Each has a deadline of its own: firebase-admin waits for some answers
 * without end.
 * @param agent makes the connections; they are closed with the sender
 */
export function createFcm(
  account: ServiceAccount,
  agent: Agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY }),
): PushSender {
  const access = createAccess(account, agent);
  const app = initializeApp(
    { credential: access, projectId: account.project_id, httpAgent: agent },
    `push ${crypto.randomUUID()}`,
  );
  const messaging = getMessaging(app);
  const limit = pLimit(CONCURRENCY);
  const sending = new Set<Promise<unknown>>();

  async function sendOne({ device, payload }: Push, stopping: AbortSignal): Promise<PushResult> {
    if (stopping.aborted) return { outcome: 'failed', failure: 'stopped' };
    try {
      await beforeDeadline(messaging.send(once(messageTo(device, payload))));
      return { outcome: 'sent' };
    } catch (error) {
      const result = judge(error);
      if (result.failure === 'http/401' || result.failure === 'UNAUTHENTICATED') access.forget();
      return result;
    }
  }

  return {
    send: async (pushes, stopping) => {
      const results = Promise.all(pushes.map((push) => limit(() => sendOne(push, stopping))));
      sending.add(results);
      return results.finally(() => sending.delete(results));
    },
    close: async () => {
      await Promise.allSettled(sending);
      agent.destroy();
      await deleteApp(app);
    },
  };
}

/**
 * A message that is sent once. firebase-admin sends again what got no answer, for minutes: nobody has looked then who may
 * still see it. It has no setting for that, but asks for the message's JSON each time.
 */
function once(message: TokenMessage): TokenMessage {
  let isSent = false;
  return Object.assign(message, {
    toJSON(this: TokenMessage & { toJSON: unknown }) {
      if (isSent) throw new Error('Sent before.');
      isSent = true;
      const { toJSON: _, ...content } = this;
      return content;
    },
  });
}

async function beforeDeadline(work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject({ code: 'late' }), DEADLINE_MS);
  // What comes after the deadline is for nobody.
  work.catch(() => {});
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
