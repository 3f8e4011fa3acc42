create function app.note_placements()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_placed record;
begin
  -- In one order, so that those who meet in several Hubs wait for each other instead of locking up.
  for v_placed in
    select placed.*, p.visibility = 'private_locked_hub' as is_private, p.source_post_id is not null as is_repost
    from present as placed
    join app.posts as p on p.id = placed.post_id
    order by placed.hub_id
  loop
    insert into app.discussions (hub_id, post_id) values (v_placed.hub_id, v_placed.post_id);
    perform app.note_activity(v_placed.hub_id);
    insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
    values (
      v_placed.hub_id, v_placed.placed_by, v_placed.post_id,
      case v_placed.kind when 'targeted' then 'targeted'::app.feed_event_kind else 'shared_to_hub' end,
      v_placed.placed_at
    );
    if v_placed.kind = 'shared' then
      insert into app.promotions (post_id) values (v_placed.post_id);
    end if;
    perform app.emit(
      case
        when v_placed.kind = 'targeted' and not v_placed.is_repost then 'hub_post_created'::app.event_type
        else 'post_shared_to_hub'
      end,
      p_actor_id => v_placed.placed_by, p_hub_id => v_placed.hub_id, p_post_id => v_placed.post_id
    );
    if v_placed.kind = 'targeted' and v_placed.is_repost and v_placed.is_private then
      perform app.emit(
        'post_reposted', p_actor_id => v_placed.placed_by, p_hub_id => v_placed.hub_id, p_post_id => v_placed.post_id
      );
    end if;
  end loop;
  return null;
end
$$;
comment on function app.note_placements() is 'After posts were placed in Hubs: each placement has its discussion, comes into the feeds of members, and is told of, and its pending votes are to be counted (spec.md "Notification types").';

revoke all on function app.note_placements() from public;
