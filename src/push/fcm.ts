import { Agent } from 'node:https';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type TokenMessage } from 'firebase-admin/messaging';
import pLimit from 'p-limit';
import type { ServiceAccount } from '../auth/service-account.ts';
import { createAccess } from './access.ts';
import { type MessageTexts, messageTo } from './message.ts';
import type { Push, PushResult, PushSender } from './push.ts';
import { classifyError } from './refusal.ts';

const CONCURRENCY = 50;
const TIMEOUT_MS = 20_000;

/**
 * Creates a sender for Firebase Cloud Messaging. Each message has a timeout, because firebase-admin waits for some answers
 * forever.
 * @param agent is destroyed when the sender closes
 */
export function createFcm(
  account: ServiceAccount,
  agent: Agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY }),
  texts?: MessageTexts,
): PushSender {
  const access = createAccess(account, agent);
  const app = initializeApp(
    { credential: access, projectId: account.project_id, httpAgent: agent },
    `push ${crypto.randomUUID()}`,
  );
  const messaging = getMessaging(app);
  const limit = pLimit(CONCURRENCY);
  const sending = new Set<Promise<unknown>>();

  async function sendOne({ device, payload, badge }: Push, stopping: AbortSignal): Promise<PushResult> {
    if (stopping.aborted) return { outcome: 'failed', failure: 'stopped' };
    try {
      await withTimeout(messaging.send(once(messageTo(device, payload, badge, texts))));
      return { outcome: 'sent' };
    } catch (error) {
      const result = classifyError(error);
      if (result.failure === 'http/401' || result.failure === 'UNAUTHENTICATED') access.invalidate();
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
 * Returns a message that is sent only once. firebase-admin retries for minutes, and nothing rechecks visibility by then. No
 * option disables that. Every attempt serialises the message, so the second attempt throws here.
 */
function once(message: TokenMessage): TokenMessage {
  let isSent = false;
  return Object.assign(message, {
    toJSON(this: TokenMessage & { toJSON: unknown }) {
      if (isSent) throw new Error('The message was sent already.');
      isSent = true;
      const { toJSON: _, ...content } = this;
      return content;
    },
  });
}

async function withTimeout(work: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject({ code: 'late' }), TIMEOUT_MS);
  // Handles a rejection after the timeout, which would end the process.
  work.catch(() => {});
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
