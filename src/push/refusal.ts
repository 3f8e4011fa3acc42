import { z } from 'zod';
import type { PushResult } from './push.ts';

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const BAD_TOKEN = /^the registration token is not a valid fcm registration token/i;

const failed = z.object({ code: z.string().max(80).catch('unknown') });
const refused = z.object({ httpResponse: z.object({ status: z.int(), data: z.unknown() }) });
const details = z.array(z.looseObject({ '@type': z.string().catch('') })).catch([]);
const fault = z
  .object({
    error: z.object({ status: z.string().catch(''), message: z.string().catch(''), details }),
  })
  .catch({ error: { status: '', message: '', details: [] } });
const violations = z.array(z.object({ field: z.string().catch('') })).catch([]);

/** The push service's refusal of a message: its HTTP status, FCM's error code and the invalid fields. */
interface ProviderError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly fields: readonly string[];
}

/**
 * Returns the result of a failed push. Reads the HTTP answer, because firebase-admin uses the same code for a dead token and a
 * wrong project. The error contains tokens, so do not log it.
 */
export function classifyError(error: unknown): Exclude<PushResult, { outcome: 'sent' }> {
  const answered = refused.safeParse(error);
  if (!answered.success) {
    return { outcome: 'failed', failure: failed.catch({ code: 'unknown' }).parse(error).code };
  }
  const { status, data } = answered.data.httpResponse;
  const refusal = classifyRefusal(status, data);
  return { outcome: isGone(refusal) ? 'gone' : 'failed', failure: refusal.code || `http/${status}` };
}

function classifyRefusal(status: number, data: unknown): ProviderError {
  const { error } = fault.parse(data);
  const ofType = (type: string) => error.details.filter((detail) => detail['@type'] === type);
  const [code = error.status] = ofType(FCM_ERROR).map(({ errorCode }) => String(errorCode));
  const fields = ofType(BAD_REQUEST).flatMap(({ fieldViolations }) =>
    violations.parse(fieldViolations).map(({ field }) => field),
  );
  return { status, code: code.slice(0, 80), message: error.message, fields };
}

function isGone({ status, code, message, fields }: ProviderError): boolean {
  if (status === 404) return code === 'UNREGISTERED';
  if (status !== 400 || code !== 'INVALID_ARGUMENT') return false;
  return fields.length > 0 ? fields.every((field) => field === 'message.token') : BAD_TOKEN.test(message);
}
