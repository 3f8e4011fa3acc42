/** The codes that clients and tests see, with their status, older name and default message, as Supabase Storage has them. */
const ERRORS = {
  AccessDenied: { statusCode: 403, error: 'Unauthorized', message: 'Invalid Compact JWS' },
  BucketAlreadyExists: { statusCode: 409, error: 'Duplicate', message: 'The resource already exists' },
  EntityTooLarge: {
    statusCode: 413,
    error: 'Payload too large',
    message: 'The object exceeded the maximum allowed size',
  },
  InternalError: { statusCode: 500, error: 'Internal', message: 'Internal Server Error' },
  InvalidJWT: { statusCode: 400, error: 'InvalidJWT', message: 'Invalid Compact JWS' },
  InvalidKey: { statusCode: 400, error: 'InvalidKey', message: 'Invalid key' },
  InvalidMimeType: { statusCode: 415, error: 'invalid_mime_type', message: 'mime type is not supported' },
  InvalidRequest: { statusCode: 400, error: 'Error', message: 'Invalid request' },
  InvalidSignature: { statusCode: 400, error: 'InvalidSignature', message: 'Invalid signature' },
  KeyAlreadyExists: { statusCode: 409, error: 'Duplicate', message: 'The resource already exists' },
  NoSuchBucket: { statusCode: 404, error: 'Bucket not found', message: 'Bucket not found' },
  NoSuchKey: { statusCode: 404, error: 'not_found', message: 'Object not found' },
  RouteNotFound: { statusCode: 404, error: 'Not Found', message: 'Route not found' },
} as const;

/** An error that the client sees. */
export class StorageError extends Error {
  readonly code: keyof typeof ERRORS;

  constructor(code: keyof typeof ERRORS, message: string = ERRORS[code].message) {
    super(message);
    this.code = code;
  }

  /** The HTTP status. Supabase Storage answers 400 to nearly everything, because old clients depend on it. */
  get httpStatus(): 400 | 404 | 500 {
    if (this.code === 'InternalError') return 500;
    return this.code === 'RouteNotFound' ? 404 : 400;
  }

  /** The JSON body. */
  get body() {
    const { statusCode, error } = ERRORS[this.code];
    return { statusCode: String(statusCode), error, message: this.message, code: this.code };
  }
}
