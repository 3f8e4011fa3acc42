create function app.tell(p_event app.events, p_user_ids uuid[])
returns void
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_now timestamptz := app.now();
  v_honours_mute boolean := app.honours_mute(p_event.type, p_event.hub_id);
  v_audience app.audience := app.audience_of(p_event);
  v_author_id uuid := (
    select p.author_id from app.posts as p where p.id = p_event.post_id and p.author_id is distinct from p_event.actor_id
  );
begin
  insert into app.notifications (event_id, recipient_id, audience, scope_id, actor_id, author_id, created_at)
  select
    p_event.id, u.id, v_audience, case v_audience when 'hub_member' then p_event.hub_id else u.id end,
    p_event.actor_id, nullif(v_author_id, u.id), v_now
  from app.users as u
  where u.id = any (p_user_ids) and u.ended_at is null and u.id is distinct from p_event.actor_id
    and not exists (
      select from app.blocked_pairs as b where b.user_id = u.id and b.other_id in (p_event.actor_id, v_author_id)
    )
    and not (v_honours_mute and exists (
      select from app.hub_mutes as m where m.hub_id = p_event.hub_id and m.user_id = u.id
    ))
  order by u.id
  on conflict (event_id, recipient_id) do nothing;
end
$$;
comment on function app.tell(app.events, uuid[]) is 'Tells these people of an event, each once, in the transaction: all but whoever acted, whom a block parts from them or from whose post it is, and who has muted the Hub.';

revoke all on function app.tell(app.events, uuid[]) from public;
