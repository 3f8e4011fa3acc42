import { nothing } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { OwnData, ownData } from './export.ts';

/** The whole of an account: its end and its export (docs/product.md I17-I19, X1-X4). */
export const accounts: readonly Operation[] = [
  {
    id: 'delete_account',
    method: 'delete',
    path: '/users/me',
    tag: 'Sessions',
    summary: "Delete the caller's account",
    description:
      'Deletes sessions, push tokens, phone, contacts and username at once. Hides posts and comments at once; the worker removes them. Votes stay counted, without a link to the account.',
    auth: 'required',
    level: 1,
    data: nothing,
    status: 200,
    message: 'Account ended.',
    example: { data: {} },
  },
  {
    id: 'export_own_data',
    isNeverStale: true,
    method: 'get',
    path: '/users/me/export',
    tag: 'Sessions',
    summary: "Export the caller's data",
    description:
      'At most three times a day. `incomplete` names the sections that exceed the size limit; they hold their newest items. Votes have no position.',
    auth: 'required',
    level: 1,
    data: OwnData,
    status: 200,
    fileName: 'opine.json',
    message: 'All that is kept about you.',
    errors: ['RATE_LIMITED'],
    example: { data: ownData },
  },
];
