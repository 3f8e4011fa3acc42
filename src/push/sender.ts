import { Agent } from 'node:https';
import type { Config } from '../config.ts';
import { createFcm } from './fcm.ts';
import { createPushFile } from './file.ts';
import type { PushSender } from './push.ts';

/** Creates the configured push sender, or null. */
export function createSender(
  config: Pick<Config, 'FIREBASE_SERVICE_ACCOUNT' | 'PUSH_ADDRESS' | 'PUSH_FILE' | 'PUSH_LOC_KEYS'>,
): PushSender | null {
  const { FIREBASE_SERVICE_ACCOUNT: account, PUSH_ADDRESS: address, PUSH_FILE: file } = config;
  const texts = config.PUSH_LOC_KEYS ? 'keys' : 'english';
  if (account === undefined) return file === undefined ? null : createPushFile(file, texts);
  return createFcm(account, address === undefined ? undefined : agentTo(address), texts);
}

/** Connects to a fake push service at `address`. It still needs a certificate for Google's host name. */
function agentTo(address: string): Agent {
  const { hostname: host, port } = new URL(`https://${address}`);
  return new Agent({ keepAlive: true, host, port: Number(port) });
}
