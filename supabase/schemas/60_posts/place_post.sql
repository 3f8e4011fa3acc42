create function app.place_post(p_post_id uuid, p_hub_ids uuid[])
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_hub_id uuid;
begin
  if not exists (select from app.posts as p where p.id = p_post_id and p.author_id = app.user_id())
    or not p_hub_ids <@ array(select mine.hub_id from app.my_hubs as mine) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  -- In one order, so that authors who meet in several Hubs wait for each other instead of locking up.
  for v_hub_id in select target.id from unnest(p_hub_ids) as target (id) order by target.id loop
    perform app.hold_member(v_hub_id);
    insert into app.placements (post_id, hub_id) values (p_post_id, v_hub_id);
    insert into app.discussions (hub_id, post_id) values (v_hub_id, p_post_id);
    perform app.note_activity(v_hub_id);
    perform app.emit('hub_post_created', p_actor_id => app.user_id(), p_hub_id => v_hub_id, p_post_id => p_post_id);
  end loop;
end
$$;
comment on function app.place_post(uuid, uuid[]) is 'Places a post of the caller''s in Hubs of theirs, each with its discussion. Raises FORBIDDEN for anybody else''s post or Hub.';

revoke all on function app.place_post(uuid, uuid[]) from public;
grant execute on function app.place_post(uuid, uuid[]) to authenticated;
