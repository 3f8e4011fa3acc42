create function app.active_users(p_hub_id uuid)
returns bigint
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select coalesce(sum(p.member_count), 0)
    from app.hub_presence as p
    -- Whoever was seen in the five minutes that a day ago lies in counts still.
    where p.hub_id = p_hub_id and p.seen_in > app.now() - interval '24 hours 5 minutes'
      and exists (select from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id())
  );
end
$$;
comment on function app.active_users(uuid) is 'activeUsers24h (spec.md "Hub"): how many members of a Hub of the caller''s have used it in the last 24 hours, to five minutes; of any other, none. A policy would gather all the caller''s Hubs for each that a list shows.';

revoke all on function app.active_users(uuid) from public;
grant execute on function app.active_users(uuid) to authenticated;
