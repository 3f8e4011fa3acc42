create table app.score_changes (
  post_id uuid not null references app.posts (id) on delete cascade,
  changed_at timestamptz not null default app.now(),
  changed_by xid8 not null default pg_current_xact_id(),
  former_score timestamptz,
  former_active_at timestamptz,
  constraint score_changes_have_both_or_neither check (num_nulls(former_score, former_active_at) in (0, 2))
);
comment on table app.score_changes is 'What app.trending_scores held before each change of the last day, nulls before the first: every page of a trending feed ranks by the scores of its first page.';

create index score_changes_post_id_idx on app.score_changes (post_id, changed_by);
create index score_changes_changed_by_idx on app.score_changes (changed_by);
create index score_changes_changed_at_idx on app.score_changes (changed_at);

alter table app.score_changes enable row level security;
