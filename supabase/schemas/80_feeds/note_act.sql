create function app.note_act(p_kind app.feed_event_kind, p_actor_id uuid, p_post_id uuid, p_at timestamptz)
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  perform app.hold_memberships(p_actor_id);
  -- What is just being deleted is waited for, and not found below.
  perform from app.posts as p where p.id = p_post_id for key share;
  insert into app.feed_events as e (hub_id, actor_id, post_id, kind, occurred_at)
  select source.hub_id, p_actor_id, p.id, p_kind, p_at
  from app.posts as p
  cross join (
    select null::uuid as hub_id
    union all
    select m.hub_id from app.memberships as m where m.user_id = p_actor_id
  ) as source
  where p.id = p_post_id and p.visibility <> 'private_locked_hub'
  on conflict (post_id, source_id, actor_id, kind) where lost_at is null
  do update set occurred_at = greatest(e.occurred_at, excluded.occurred_at);
end
$$;
comment on function app.note_act(app.feed_event_kind, uuid, uuid, timestamptz) is 'Notes what somebody did with a post, in their stream and in those of their Hubs; of private posts nothing, as those are found in their Hubs alone.';

revoke all on function app.note_act(app.feed_event_kind, uuid, uuid, timestamptz) from public;
