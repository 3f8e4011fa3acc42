import { fcmCode, googleError, violationOf } from './fcm.ts';
import type { FakeAnswer } from './loopback.ts';

/** A possible answer of FCM. */
interface AnswerCase {
  readonly name: string;
  readonly answer: FakeAnswer;
  /** Whether the answer means that the token is gone for good. */
  readonly isGone: boolean;
}

const invalid = (message: string, ...details: object[]) =>
  googleError(400, 'INVALID_ARGUMENT', message, details);
const html = (status: number) => ({ status, body: '<html><title>Error</title></html>' });

const GONE: Readonly<Record<string, FakeAnswer>> = {
  UNREGISTERED: googleError(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmCode('UNREGISTERED')]),
  'INVALID_ARGUMENT of the token, in words': invalid(
    'The registration token is not a valid FCM registration token',
    fcmCode('INVALID_ARGUMENT'),
  ),
  'INVALID_ARGUMENT of the token, by its field': invalid(
    'Request contains an invalid argument.',
    fcmCode('INVALID_ARGUMENT'),
    violationOf('message.token'),
  ),
};

const STAYS: Readonly<Record<string, FakeAnswer>> = {
  'INVALID_ARGUMENT of the payload, by its field': invalid(
    "Invalid value at 'message.data[0].value' (TYPE_STRING), 12",
    violationOf('message.data[0].value'),
  ),
  'INVALID_ARGUMENT of the payload and the token': invalid(
    'Request contains an invalid argument.',
    fcmCode('INVALID_ARGUMENT'),
    violationOf('message.token', 'message.android'),
  ),
  'INVALID_ARGUMENT of the size': invalid('Android message is too big', fcmCode('INVALID_ARGUMENT')),
  'INVALID_ARGUMENT of nothing in particular': invalid('Request contains an invalid argument.'),
  SENDER_ID_MISMATCH: googleError(403, 'PERMISSION_DENIED', 'SenderId mismatch', [
    fcmCode('SENDER_ID_MISMATCH'),
  ]),
  'a service account without the right': googleError(
    403,
    'PERMISSION_DENIED',
    "Permission 'cloudmessaging.messages.create' denied",
  ),
  'a project that is not there': googleError(404, 'NOT_FOUND', 'Requested entity was not found.'),
  'an address that is not there': html(404),
  THIRD_PARTY_AUTH_ERROR: googleError(401, 'UNAUTHENTICATED', 'Auth error from APNS or Web Push Service', [
    fcmCode('THIRD_PARTY_AUTH_ERROR'),
  ]),
  'an access token that is refused': googleError(
    401,
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials.',
  ),
  QUOTA_EXCEEDED: {
    ...googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.', [fcmCode('QUOTA_EXCEEDED')]),
    headers: { 'retry-after': '60' },
  },
  UNAVAILABLE: googleError(503, 'UNAVAILABLE', 'The service is currently unavailable.', [
    fcmCode('UNAVAILABLE'),
  ]),
  INTERNAL: googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]),
  'a gateway that is down': html(502),
  'an error that is no JSON': { status: 500, body: '{"error":' },
  'an error of another shape': { status: 400, body: ['UNREGISTERED'] },
  'UNREGISTERED with a status of 500': googleError(500, 'INTERNAL', 'Gone?', [fcmCode('UNREGISTERED')]),
  'garbage as success': html(200),
  'nothing as success': { status: 200, body: '' },
  'a redirect': { status: 302, body: '', headers: { location: 'https://fcm.googleapis.com/' } },
  'a connection that is reset': 'reset',
};

/** Immediate answers of FCM. */
export const REFUSALS: readonly AnswerCase[] = [
  ...Object.entries(GONE).map(([name, answer]) => ({ name, answer, isGone: true })),
  ...Object.entries(STAYS).map(([name, answer]) => ({ name, answer, isGone: false })),
];

/** Missing, incomplete or late answers: tests wait for the timeout. */
export const SILENCES: readonly AnswerCase[] = [
  { name: 'no answer', answer: 'hang', isGone: false },
  { name: 'half an answer', answer: 'cut', isGone: false },
  {
    name: 'an answer that comes when that is over',
    answer: {
      ...googleError(503, 'UNAVAILABLE', 'Later.', [fcmCode('UNAVAILABLE')]),
      headers: { 'retry-after': '30' },
    },
    isGone: false,
  },
];
