import type { SmsSender } from '../sms.ts';

/** Creates a sender that prints each message as one line, for local development. It reaches no phone. */
export function createConsoleSender(write: (line: string) => void): SmsSender {
  return {
    send: async ({ to, text }) => write(`Text message to ${to}: ${text.replaceAll(/\s+/g, ' ')}\n`),
  };
}
