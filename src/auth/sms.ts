/** A text message to one phone. */
export interface SmsMessage {
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/** Sends text messages. */
export interface SmsSender {
  /**
   * Sends a message; resolves when the provider has accepted it.
   * @throws ApiError VALIDATION_FAILED if the phone is unreachable, SERVICE_UNAVAILABLE if the provider is; neither contains
   *   the phone or the text
   */
  send(message: SmsMessage): Promise<void>;
}
