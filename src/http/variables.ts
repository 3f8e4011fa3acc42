/** What a request carries through the app beside itself. */
export interface Variables {
  requestId: string;
  /** The id of the operation that serves it. */
  operation: string | undefined;
}
