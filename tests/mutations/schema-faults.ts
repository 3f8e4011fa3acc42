import type { Fault } from './fault.ts';

/** Faults of SQL objects, by domain. */
export const SCHEMA_FAULTS: readonly Fault[] = [
  {
    in: 'app.posts_in_feed',
    clause:
      "\n      and own.hub_id in (select hub.id from app.sources_at(p_after, '{memberships}') as hub (id))",
    instead: '',
    noticedBy: 'supabase/tests/feeds/trending.test.sql',
  },
  {
    in: 'comments_select on app.comments',
    clause: 'and (parent_id is null or app.sees_thread(parent_id))',
    instead: '',
    noticedBy: 'supabase/tests/comments/hidden_comments.test.sql',
  },
  {
    in: 'app.sees_thread',
    clause: 'own.author_id = app.user_id()',
    instead: 'false',
    noticedBy: 'supabase/tests/comments/hidden_comments.test.sql',
  },
];
