create table app.events (
  id uuid primary key default app.uuid_v7(),
  type app.event_type not null,
  actor_id uuid references app.users (id) on delete cascade,
  subject_id uuid references app.users (id) on delete cascade,
  hub_id uuid references app.hubs (id) on delete cascade,
  post_id uuid references app.posts (id) on delete cascade,
  comment_id uuid references app.comments (id) on delete cascade,
  invitation_id uuid references app.hub_invitations (id) on delete cascade,
  join_request_id uuid references app.join_requests (id) on delete cascade,
  milestone_total integer,
  milestone_count integer,
  occurred_at timestamptz not null default app.now(),
  constraint events_milestones_are_counted check (num_nonnulls(milestone_total, milestone_count) = case when type = 'post_vote_milestone' then 2 else 0 end)
);
comment on table app.events is 'What happened that people are to be notified of, written in the transaction in which it did (spec.md "Events").';
comment on column app.events.actor_id is 'Whose act it was; null where it followed from the end of an account, and of milestones.';
comment on column app.events.subject_id is 'Whom it happened to: who is followed, asks, joins, is removed or has a new role; whose milestone it is.';
comment on column app.events.milestone_count is 'Of a milestone: how many of milestone_total the subject is told of, all as the author, those since their own vote as a voter.';

create index events_actor_id_idx on app.events (actor_id);
create index events_subject_id_idx on app.events (subject_id);
create index events_hub_id_idx on app.events (hub_id);
create index events_post_id_idx on app.events (post_id);
create index events_comment_id_idx on app.events (comment_id);
create index events_invitation_id_idx on app.events (invitation_id);
create index events_join_request_id_idx on app.events (join_request_id);

create unique index events_milestone_key on app.events (post_id, subject_id, milestone_total, milestone_count) where type = 'post_vote_milestone';

alter table app.events enable row level security;
