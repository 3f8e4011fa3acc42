/** An error of the catalogue: its HTTP status and its text for people. */
interface CatalogueEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  readonly message: string;
}

/** The catalogue of errors: every `error.code` of the API (docs/product.md W3, W22). */
export const ERRORS = {
  OTP_INVALID: { status: 400, message: 'The code is not right.' },
  OTP_EXPIRED: { status: 400, message: 'The code has expired. Request a new one.' },
  UNAUTHORIZED: { status: 401, message: 'Authentication required.' },
  FORBIDDEN: { status: 403, message: 'You are not allowed to do this.' },
  CAPTCHA_REQUIRED: { status: 403, message: 'Solve the captcha first.' },
  ACCOUNT_SUSPENDED: { status: 403, message: 'This account is suspended.' },
  VOTE_NOT_ALLOWED: { status: 403, message: 'You cannot vote on this post.' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is nothing at this address.' },
  USER_NOT_FOUND: { status: 404, message: 'User not found.' },
  HUB_NOT_FOUND: { status: 404, message: 'There is no such Hub.' },
  MEMBER_NOT_FOUND: { status: 404, message: 'There is no such member.' },
  INVITATION_NOT_FOUND: { status: 404, message: 'There is no such invitation.' },
  INVITE_LINK_NOT_FOUND: { status: 404, message: 'This link does not lead to a Hub, or no longer.' },
  JOIN_REQUEST_NOT_FOUND: { status: 404, message: 'There is no such join request.' },
  DISCUSSION_NOT_FOUND: { status: 404, message: 'There is no such discussion.' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'There is no such message.' },
  FOLLOW_NOT_FOUND: { status: 404, message: 'You do not follow this user.' },
  SESSION_NOT_FOUND: { status: 404, message: 'There is no such session.' },
  COMMENT_NOT_FOUND: { status: 404, message: 'There is no such comment.' },
  NOTIFICATION_NOT_FOUND: { status: 404, message: 'There is no such notification.' },
  POST_NOT_FOUND: { status: 404, message: 'Post not found.' },
  UPLOAD_NOT_FOUND: { status: 404, message: 'There is no such upload.' },
  ASSET_NOT_FOUND: { status: 404, message: 'There is no such file.' },
  DECISION_NOT_FOUND: { status: 404, message: 'There is no such decision.' },
  APPEAL_NOT_FOUND: { status: 404, message: 'There is no such open appeal.' },
  TERM_NOT_FOUND: { status: 404, message: 'This term is not on the list.' },
  REPORT_NOT_FOUND: { status: 404, message: 'There is no such open report.' },
  DEAD_LETTER_NOT_FOUND: { status: 404, message: 'There is no such dead letter.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not answer that method.' },
  HANDLE_TAKEN: { status: 409, message: 'This username is taken.' },
  ALREADY_FOLLOWING: { status: 409, message: 'You follow this user already.' },
  CANNOT_FOLLOW_SELF: { status: 409, message: 'You cannot follow yourself.' },
  CANNOT_BLOCK_SELF: { status: 409, message: 'You cannot block yourself.' },
  VOTE_ALREADY_CAST: { status: 409, message: 'You have voted on this post already.' },
  POST_NOT_VOTABLE: { status: 409, message: 'This post has no slider to vote on.' },
  REPOST_NOT_ALLOWED: { status: 409, message: 'This post cannot be reposted.' },
  POST_NOT_SHAREABLE: { status: 409, message: 'This post stays where it is.' },
  PHONE_TAKEN: { status: 409, message: 'An account has this number already.' },
  CUSTOM_LINK_TAKEN: { status: 409, message: 'This link is taken.' },
  LAST_ADMIN: { status: 409, message: 'A Hub needs an admin. Appoint another one first.' },
  ALREADY_MEMBER: { status: 409, message: 'You are a member already.' },
  INVITATION_NOT_PENDING: { status: 409, message: 'This invitation was used, declined, or has expired.' },
  JOIN_REQUEST_PENDING: { status: 409, message: 'You have asked already. An admin will decide.' },
  JOIN_REQUEST_NOT_PENDING: { status: 409, message: 'This request was decided already.' },
  CONTACT_SNAPSHOT_CONFLICT: { status: 409, message: 'Your contacts were uploaded already.' },
  APPEAL_EXISTS: { status: 409, message: 'An appeal against this decision exists already.' },
  APPEAL_TOO_LATE: { status: 409, message: 'It is too late to appeal against this decision.' },
  REPORT_CLAIMED: { status: 409, message: 'Somebody else looks into this report.' },
  REPORT_NOT_OF_CONTENT: { status: 409, message: 'A person or a Hub can be suspended, not removed.' },
  UPLOAD_CONFLICT: { status: 409, message: 'This upload cannot be completed.' },
  IDEMPOTENCY_KEY_CONFLICT: { status: 409, message: 'This Idempotency-Key was used for another request.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  REASON_MISSING: { status: 422, message: 'Say why.' },
  VALIDATION_FAILED: { status: 422, message: 'The request is not valid.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  STAFF_SIGN_IN_UNAVAILABLE: { status: 503, message: 'Staff sign-in is not set up here.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is not available right now. Try again shortly.' },
} as const satisfies Record<string, CatalogueEntry>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERRORS;

/** Whether the catalogue has this code. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/**
 * Constraints whose violation is an error of the catalogue. The translation happens here, because catching the violation in
 * PL/pgSQL would cost each write a subtransaction.
 */
export const CONSTRAINT_ERRORS: Readonly<Record<string, ErrorCode>> = {
  profiles_username_key: 'HANDLE_TAKEN',
  profiles_skeleton_key: 'HANDLE_TAKEN',
  follows_pkey: 'ALREADY_FOLLOWING',
  appeals_pkey: 'APPEAL_EXISTS',
  follows_are_of_others: 'CANNOT_FOLLOW_SELF',
  blocks_are_of_others: 'CANNOT_BLOCK_SELF',
  hubs_custom_link_key: 'CUSTOM_LINK_TAKEN',
  join_requests_pending_key: 'JOIN_REQUEST_PENDING',
  // A concurrent request deleted the post, the message or the Hub.
  messages_are_of_discussions: 'DISCUSSION_NOT_FOUND',
  messages_parent_has_same_discussion: 'MESSAGE_NOT_FOUND',
  saved_discussions_discussion_id_fkey: 'DISCUSSION_NOT_FOUND',
  discussion_reads_discussion_id_fkey: 'DISCUSSION_NOT_FOUND',
  comments_parent_has_same_post: 'COMMENT_NOT_FOUND',
  saved_posts_post_id_fkey: 'POST_NOT_FOUND',
  reports_user_id_fkey: 'USER_NOT_FOUND',
  reports_hub_id_fkey: 'HUB_NOT_FOUND',
  vote_receipts_post_id_fkey: 'POST_NOT_FOUND',
  placements_hub_id_fkey: 'FORBIDDEN',
  // A concurrent request ended the session or the account.
  device_tokens_session_id_fkey: 'UNAUTHORIZED',
  users_ended_hold_nothing: 'UNAUTHORIZED',
};

/** Constraints whose violation is an invalid field, by a rule that only Postgres has. */
export const CONSTRAINT_ISSUES: Readonly<Record<string, Issue>> = {
  articles_url_is_web: {
    path: ['article', 'url'],
    code: 'invalid_format',
    message: 'Must be the address of a web page, with its host, and without a user and spaces.',
  },
  profiles_username_is_not_reserved: {
    path: ['username'],
    code: 'reserved',
    message: 'This username is reserved.',
  },
  uploads_content_type_fits: {
    path: ['contentType'],
    code: 'unfit',
    message: 'Not a type of file for this purpose.',
  },
  uploads_size_is_within_limit: {
    path: ['sizeBytes'],
    code: 'too_big',
    message: 'Must be at most 10 MiB, for a document 20 MiB.',
  },
};

/** The `details` of an error. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** A problem of a request: an item of `details.issues` of a `VALIDATION_FAILED`. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** An error for the client. Any code may throw it; the app answers it in the error envelope. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  /** Creates an error. `details.retryAfterSeconds` also sets the `Retry-After` header. */
  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(ERRORS[code].message, options);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }
}

/** The limit of issues in an answer: a body of thousands of items may have as many. */
const MAX_ISSUES = 100;

/** Returns a `VALIDATION_FAILED` (422) with the first 100 issues. */
export function invalid(...issues: readonly Issue[]): ApiError {
  return new ApiError('VALIDATION_FAILED', { issues: issues.slice(0, MAX_ISSUES) });
}
