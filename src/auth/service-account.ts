import { z } from 'zod';

/** The fields that are used of a Firebase service account's key file. */
export const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
});

/** A Firebase service account. */
export type ServiceAccount = z.output<typeof serviceAccount>;
