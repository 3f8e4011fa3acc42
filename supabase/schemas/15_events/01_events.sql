-- Only old rows are post_voted.
create type app.event_type as enum (
  'user_followed',
  'hub_invite_received',
  'hub_join_request_created',
  'hub_join_request_approved',
  'hub_join_request_rejected',
  'hub_member_joined',
  'hub_member_removed',
  'hub_role_changed',
  'hub_post_created',
  'post_shared_to_hub',
  'post_reposted',
  'post_shared_to_feed',
  'post_commented',
  'post_vote_milestone',
  'post_voted',
  'followed_user_posted',
  'comment_replied',
  'user_mentioned',
  'moderation_decided'
);
comment on type app.event_type is 'Types of events, and of the notifications about them (docs/product.md N3).';

create table app.events (
  id uuid primary key default app.uuid_v7(),
  type app.event_type not null,
  actor_id uuid,
  subject_id uuid,
  hub_id uuid,
  post_id uuid,
  comment_id uuid,
  invitation_id uuid,
  join_request_id uuid,
  decision_id uuid,
  milestone_total integer,
  milestone_count integer,
  occurred_at timestamptz not null default app.now(),
  pushed_at timestamptz,
  constraint events_milestones_are_counted check (
    num_nonnulls(milestone_total, milestone_count) = case when type = 'post_vote_milestone' then 2 else 0 end
  )
);
comment on table app.events is
  'One row per event that people are to be notified of, written in the transaction of its activity (docs/product.md '
  'N3, N14).';
comment on column app.events.actor_id is
  'The person whose activity caused the event; null for milestones, and where the end of an account caused it.';
comment on column app.events.subject_id is
  'The person affected by the event: followed, applying, joining, removed, given a role, reaching a milestone, or '
  'concerned by a decision of staff.';
comment on column app.events.pushed_at is
  'Time for which the last push of a renewed event was scheduled (app.renew_event); null before the first renewal.';
comment on column app.events.milestone_count is
  'How many of the milestone_total votes count for the subject: all for the author, those since their own vote for a '
  'voter.';
create index events_actor_id_idx on app.events (actor_id);
create index events_subject_id_idx on app.events (subject_id);
create index events_hub_id_idx on app.events (hub_id);
create index events_post_id_idx on app.events (post_id);
create index events_comment_id_idx on app.events (comment_id);
create index events_invitation_id_idx on app.events (invitation_id);
create index events_join_request_id_idx on app.events (join_request_id);
create index events_decision_id_idx on app.events (decision_id);
create unique index events_milestone_key on app.events (
  post_id, subject_id, milestone_total, milestone_count
) where type = 'post_vote_milestone';
create index events_repeats_idx on app.events (actor_id, type, coalesce(post_id, subject_id), occurred_at)
where type in ('user_followed', 'post_shared_to_feed');
alter table app.events enable row level security;

-- Inserts an event in the transaction of its activity, unless it repeats one. Rooms above attach the rest by
-- triggers: who is notified of it, and that it may renew an earlier one. Milestones alone do not come from
-- here, because app.fan_out_milestones inserts many at once.
create function app.emit(
  p_type app.event_type, p_actor_id uuid, p_subject_id uuid default null, p_hub_id uuid default null,
  p_post_id uuid default null, p_comment_id uuid default null, p_invitation_id uuid default null,
  p_join_request_id uuid default null, p_decision_id uuid default null
) returns void
language plpgsql set search_path = '' as $$
begin
  if app.is_repeat(p_type, p_actor_id, coalesce(p_post_id, p_subject_id)) then
    return;
  end if;
  insert into app.events (
    type, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, decision_id
  )
  values (
    p_type, p_actor_id, p_subject_id, p_hub_id, p_post_id, p_comment_id, p_invitation_id, p_join_request_id,
    p_decision_id
  );
end
$$;
comment on function app.emit is 'Inserts an event (docs/product.md N3, N14), unless it repeats one (app.is_repeat).';

-- The row of the follow or share, which the caller has locked, keeps concurrent repeats apart.
create function app.is_repeat(p_type app.event_type, p_actor_id uuid, p_target_id uuid) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  -- Most events end here, before the query.
  if p_type not in ('user_followed', 'post_shared_to_feed') then
    return false;
  end if;
  return exists (
    select
    from app.events as e
    where e.actor_id = p_actor_id and e.type = p_type and coalesce(e.post_id, e.subject_id) = p_target_id
      and e.type in ('user_followed', 'post_shared_to_feed') and e.occurred_at > app.now() - interval '24 hours'
  );
end
$$;
comment on function app.is_repeat is
  'Returns whether an actor follows a user, or shares a post to their feed, again within 24 hours of the event of the '
  'first time (docs/product.md N26).';
