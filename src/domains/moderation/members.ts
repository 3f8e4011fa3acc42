import { z } from 'zod';
import { listPage, page } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { AT } from '../examples.ts';
import { allowedFor, Reason, STAFF_ACTION } from './rows.ts';
import { AuditLogEntry, StaffMembers, StaffNumbers, StaffRole } from './schemas.ts';

const nina = { email: 'nina@opine.example', role: 'moderator' };

const entry = {
  entryId: '01900000-0000-7000-8000-0000000000f6',
  occurredAt: AT,
  actor: 'robin@opine.example',
  action: 'admit',
  details: { ...nina, reason: 'Joins the evening shift.' },
};

const numbers = { peopleCount: 12, postCount: 40, voteCount: 900, openReportCount: 2 };

const { reason } = Reason.shape;
const email = z.email().max(320).describe('The e-mail of the workspace, in any case.');

/** Who is staff, what staff did, and how much the service is used (docs/product.md S6, S16, S26). */
export const staffMembers: readonly Operation[] = [
  {
    id: 'list_staff',
    method: 'get',
    path: '/admin/staff',
    tag: 'Staff',
    summary: 'List who is staff',
    description: allowedFor('admin'),
    auth: 'staff',
    data: StaffMembers,
    status: 200,
    message: 'Staff.',
    errors: ['FORBIDDEN'],
    example: {
      data: { items: [{ ...nina, addedAt: AT, logins: ['nina'] }], configuredEmails: [entry.actor] },
    },
    handle: listStaff,
  },
  {
    ...STAFF_ACTION,
    id: 'admit_staff',
    path: '/admin/staff/admit',
    summary: 'Admit a person to staff, or change their role',
    description: `The role counts from the next request on. ${allowedFor('admin')}`,
    body: z
      .strictObject({ email, role: StaffRole, reason })
      .meta({ id: 'StaffAdmission', description: 'Who becomes staff, and with which role.' }),
    message: 'Admitted.',
    errors: ['REASON_MISSING'],
    example: { body: entry.details, data: {} },
  },
  {
    ...STAFF_ACTION,
    id: 'dismiss_staff',
    path: '/admin/staff/dismiss',
    summary: 'Dismiss a person from staff, and end their sessions',
    description: allowedFor('admin'),
    body: z
      .strictObject({ email, reason })
      .meta({ id: 'StaffDismissal', description: 'Who is staff no more.' }),
    message: 'Dismissed.',
    errors: ['USER_NOT_FOUND', 'REASON_MISSING'],
    example: { body: { email: nina.email, reason: 'Has left.' }, data: {} },
  },
  {
    id: 'list_audit_log',
    method: 'get',
    path: '/admin/audit-log',
    tag: 'Staff',
    summary: 'List the audit log, newest first',
    description: allowedFor('admin'),
    auth: 'staff',
    query: z.object(listPage),
    data: page(AuditLogEntry),
    status: 200,
    message: 'Audit log.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [entry], nextCursor: null } },
  },
  {
    id: 'get_staff_numbers',
    method: 'get',
    path: '/admin/numbers',
    tag: 'Staff',
    summary: 'Get the numbers of the day',
    description: `Since midnight in UTC. ${allowedFor('support')}`,
    auth: 'staff',
    data: StaffNumbers,
    status: 200,
    message: 'Numbers of the day.',
    example: { data: numbers },
  },
];

/** Lists the staff of the database, and the admins of the configuration. */
async function listStaff({ args, run, services: { staff } }: Call): Promise<unknown> {
  const { items } = StaffMembers.pick({ items: true }).parse(await run(args));
  return { items, configuredEmails: staff?.policy.allowedEmails ?? [] };
}
