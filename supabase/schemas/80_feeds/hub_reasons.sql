create function app.hub_reasons(p_entries app.feed_entry[])
returns text[]
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return array(
    select case entry.kind when 'targeted' then 'joined_hub_post' else 'shared_to_hub' end
    from unnest(p_entries) with ordinality as entry (at, id, kind, place)
    order by entry.place
  );
end
$$;
comment on function app.hub_reasons(app.feed_entry[]) is 'Why each of these posts is in the feed of a Hub (feedContext), in their order.';

revoke all on function app.hub_reasons(app.feed_entry[]) from public;
grant execute on function app.hub_reasons(app.feed_entry[]) to authenticated;
