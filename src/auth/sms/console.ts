import type { SmsSender } from '../sms.ts';

/** Shows each message as a line of text to whoever runs the service on their own machine; reaches no phone. */
export function createConsoleSender(write: (line: string) => void): SmsSender {
  return {
    send: async ({ to, text }) => write(`Text message to ${to}: ${text.replaceAll(/\s+/g, ' ')}\n`),
  };
}
