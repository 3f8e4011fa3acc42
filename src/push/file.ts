import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { messageTo } from './message.ts';
import type { Push, PushSender } from './push.ts';

/** Creates a sender that appends messages to a file, as JSON lines, for development (docs/product.md R7). */
export function createPushFile(file: string): PushSender {
  return {
    send: async (pushes) => {
      try {
        await appendFile(file, pushes.map(lineOf).join(''));
        return pushes.map(() => ({ outcome: 'sent' }));
      } catch {
        return pushes.map(() => ({ outcome: 'failed', failure: 'file' }));
      }
    },
    close: async () => {},
  };
}

function lineOf({ device, payload, badge }: Push): string {
  const { token, ...message } = messageTo(device, payload, badge);
  return `${JSON.stringify({
    at: new Date().toISOString(),
    platform: device.platform,
    token_sha256: createHash('sha256').update(token).digest('hex'),
    message,
  })}\n`;
}
