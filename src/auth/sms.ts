/** A text message to one phone. */
export interface SmsMessage {
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/** Sends text messages. */
export interface SmsSender {
  /**
   * Resolves once the message is on its way.
   *
   * Throws an `ApiError`: `VALIDATION_FAILED` where no message can reach the phone, `SERVICE_UNAVAILABLE` where
   * none can be sent now. Neither says the phone or the text.
   */
  send(message: SmsMessage): Promise<void>;
}
