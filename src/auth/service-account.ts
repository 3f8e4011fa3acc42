import { z } from 'zod';

/** Of the key file of a service account of Firebase, what is used. */
export const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
});

export type ServiceAccount = z.output<typeof serviceAccount>;
