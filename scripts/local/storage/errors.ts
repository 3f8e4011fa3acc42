import { StorageError } from './storage-error.ts';

/** There is no such bucket, or the caller may not know of it. */
export function noSuchBucket(): StorageError {
  const message = 'Bucket not found';
  return new StorageError({ code: 'NoSuchBucket', statusCode: 404, message, error: message });
}

/** There is no object of that name. */
export function noSuchKey(): StorageError {
  return new StorageError({
    code: 'NoSuchKey',
    statusCode: 404,
    message: 'Object not found',
    error: 'not_found',
  });
}

/** A write names a bucket that does not exist. */
export function relatedResourceNotFound(): StorageError {
  return new StorageError({
    code: 'InvalidRequest',
    statusCode: 404,
    message: 'The related resource does not exist',
  });
}

/** The bucket or the object exists already; `code` tells which write found it. */
export function duplicate(
  code: 'BucketAlreadyExists' | 'KeyAlreadyExists' | 'ResourceAlreadyExists',
): StorageError {
  return new StorageError({
    code,
    statusCode: 409,
    message: 'The resource already exists',
    error: 'Duplicate',
  });
}

/** The name cannot be an object's. */
export function invalidKey(key: string): StorageError {
  return new StorageError({ code: 'InvalidKey', statusCode: 400, message: `Invalid key: ${key}` });
}

/** The name cannot be a bucket's. */
export function invalidBucketName(): StorageError {
  return new StorageError({
    code: 'InvalidBucketName',
    statusCode: 400,
    message: 'Bucket name invalid',
    error: 'Invalid Input',
  });
}

/** The caller showed a key or token that is not the service's. */
export function accessDenied(message: string): StorageError {
  return new StorageError({ code: 'AccessDenied', statusCode: 403, message, error: 'Unauthorized' });
}

/** A signed URL's token is malformed, forged or expired. */
export function invalidJwt(message: string): StorageError {
  return new StorageError({ code: 'InvalidJWT', statusCode: 400, message });
}

/** A signed URL's token is sound, but for another object or another action. */
export function invalidSignature(message = 'Invalid signature'): StorageError {
  return new StorageError({ code: 'InvalidSignature', statusCode: 400, message });
}

/** The bucket does not take this content type. */
export function invalidMimeType(mimeType: string): StorageError {
  return new StorageError({
    code: 'InvalidMimeType',
    statusCode: 415,
    message: `mime type ${mimeType} is not supported`,
    error: 'invalid_mime_type',
  });
}

/** The object is larger than its bucket allows. */
export function entityTooLarge(): StorageError {
  return new StorageError({
    code: 'EntityTooLarge',
    statusCode: 413,
    message: 'The object exceeded the maximum allowed size',
    error: 'Payload too large',
  });
}

/** The `Range` header asks for nothing that the object has. */
export function invalidRange(): StorageError {
  return new StorageError({
    code: 'InvalidRange',
    statusCode: 416,
    message: 'invalid range provided',
    error: 'invalid_range',
    httpStatus: 416,
  });
}

/** The request itself is malformed. */
export function invalidRequest(message: string, error?: string): StorageError {
  return new StorageError({
    code: 'InvalidRequest',
    statusCode: 400,
    message,
    ...(error === undefined ? {} : { error }),
  });
}

/** The JSON body is larger than any that this service has a use for. */
export function bodyTooLarge(): StorageError {
  const message = 'Request body is too large';
  const shape = { code: 'EntityTooLarge', error: 'FastifyError' };
  return new StorageError({ ...shape, statusCode: 413, message, httpStatus: 413 });
}

/** There is nothing at this address, or not with this method. */
export function routeNotFound(route: string): StorageError {
  const message = `Route ${route} not found`;
  return new StorageError({
    code: 'InvalidRequest',
    statusCode: 404,
    message,
    error: 'Not Found',
    httpStatus: 404,
  });
}

/** A bug, or a disk that is full or gone. */
export function internalError(): StorageError {
  return new StorageError({
    code: 'InternalError',
    statusCode: 500,
    message: 'Internal Server Error',
    error: 'Internal',
    httpStatus: 500,
  });
}
