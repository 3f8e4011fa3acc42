import { z } from 'zod';
import { id, text } from '../values.ts';

/** The body of POST /reports/…. */
export const NewReport = z
  .strictObject({
    reason: z.enum([
      'spam',
      'harassment',
      'hate',
      'violence',
      'nudity',
      'misinformation',
      'impersonation',
      'other',
    ]),
    details: text(1, 1000).nullish(),
  })
  .meta({ id: 'NewReport' });

/** A report, as its reporter learns of it. */
export const Report = z.strictObject({ reportId: id, state: z.enum(['open']) }).meta({ id: 'Report' });
