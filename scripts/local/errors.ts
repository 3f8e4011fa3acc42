/** An error of the local stack that its user can fix; the message is one line. */
export class LocalError extends Error {
  override name = 'LocalError';
}
