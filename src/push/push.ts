import type { Device, PushData } from './message.ts';

/** A message to a device. */
export interface Push {
  readonly device: Device;
  /** The unread count of the recipient. */
  readonly badge: number;
  readonly payload: PushData;
}

/**
 * The result of a push. `gone`: the token is permanently invalid; `failed`: the push was not sent, and a retry may succeed.
 * `failure` is a code without personal data.
 */
export type PushResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'gone' | 'failed'; readonly failure: string };

/** Sends messages to devices. */
export interface PushSender {
  /**
   * Sends messages. Never throws.
   * @param stopping when aborted, messages that have not started are not sent
   * @returns the results in the order of the messages
   */
  send(pushes: readonly Push[], stopping: AbortSignal): Promise<PushResult[]>;
  /** Closes the sender after the messages in progress. */
  close(): Promise<void>;
}
