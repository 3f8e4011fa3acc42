import type { Device, PushData } from './message.ts';

/** A message to a device. */
export interface Push {
  readonly device: Device;
  readonly payload: PushData;
}

/**
 * What became of a message. `gone`: the device can never be reached again by this token; `failed`: it was not sent, which
 * says nothing of the device; `failure` is a code without any personal data.
 */
export type PushResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'gone' | 'failed'; readonly failure: string };

/** Takes messages to devices. */
export interface PushSender {
  /**
   * @param stopping what has not begun when it is aborted is not sent
   * @returns what became of each, in their order; it throws nothing
   */
  send(pushes: readonly Push[], stopping: AbortSignal): Promise<PushResult[]>;
  /** Ends when what is under way has ended. */
  close(): Promise<void>;
}
