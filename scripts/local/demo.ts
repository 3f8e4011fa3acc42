/** The people of `supabase/seed.sql` who can sign in locally, as `npm start` shows them. */
export const DEMO_PEOPLE = [
  { name: 'Maya', phoneNumber: '+12025550101' },
  { name: 'Jonas', phoneNumber: '+12025550102' },
  { name: 'Amara', phoneNumber: '+12025550103' },
] as const;

/** The one-time code of every local test number. */
export const DEMO_CODE = '4242';
