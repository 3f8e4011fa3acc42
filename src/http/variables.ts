/** The context variables of a request. */
export interface Variables {
  requestId: string;
  /** The id of the operation, undefined for other routes. */
  operation: string | undefined;
}
