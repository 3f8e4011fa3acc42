import { z } from 'zod';
import { timestamp } from '../values.ts';

/** A session of staff, of which the cookie holds the token. */
export const StaffSession = z
  .strictObject({ email: z.email(), expiresAt: timestamp })
  .meta({ id: 'StaffSession' });
