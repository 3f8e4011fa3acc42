type HttpStatus = 400 | 404 | 413 | 416 | 500;

interface Failure {
  readonly code: string;
  readonly statusCode: number;
  readonly message: string;
  readonly error?: string;
  readonly httpStatus?: HttpStatus;
}

/**
 * An error that the client shall see. As in Supabase Storage, `statusCode` tells what happened,
 * while the HTTP status is 400 for nearly everything: old clients depend on it.
 */
export class StorageError extends Error {
  readonly httpStatus: HttpStatus;
  readonly #failure: Failure;

  /** `error`, where a code has no older name of its own, is the code. */
  constructor(failure: Failure) {
    super(failure.message);
    this.httpStatus = failure.httpStatus ?? 400;
    this.#failure = failure;
  }

  /** The JSON body of the answer. */
  body(): { statusCode: string; error: string; message: string; code: string } {
    const { code, statusCode, message, error } = this.#failure;
    return { statusCode: String(statusCode), error: error ?? code, message, code };
  }
}
