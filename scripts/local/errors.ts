/** Raised where the local stack cannot run for a reason that its user can mend; the message says it in one line. */
export class LocalError extends Error {
  override name = 'LocalError';
}
