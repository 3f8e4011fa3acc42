create table app.trending_scores (
  post_id uuid primary key references app.posts (id) on delete cascade,
  score timestamptz not null,
  active_at timestamptz not null
);
comment on table app.trending_scores is 'How much activity posts have drawn: votes, comments, reposts and shares to feeds. A post without any has no row. Apart from app.posts, whose rows are then still rewritten in place when they count.';
comment on column app.trending_scores.score is 'The sum of the activity, decayed by half every twelve hours, as the time at which one activity of weight 1 alone would have left it. See docs/decisions/012-trending.md.';
comment on column app.trending_scores.active_at is 'When the last activity was.';

create index trending_scores_score_idx on app.trending_scores (score desc, post_id desc);

-- No policy shows scores: they tell when people voted in Hubs. Definer functions read them.
alter table app.trending_scores enable row level security;
