create function app.inbox_entries(p_unread_only boolean, p_from app.list_entry, p_limit integer)
returns app.list_entry[]
language plpgsql
stable
security definer
set search_path = ''
-- By indexes, whoever has however much: a plan for the one with a hundred thousand would read everybody's.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return array(
    select (shown.created_at, shown.id)::app.list_entry
    from app.inbox_scopes as s
    cross join lateral (
      select n.created_at, n.id
      from app.judged_notifications as n
      where n.recipient_id = s.user_id and n.audience = s.audience and n.scope_id = s.scope_id
        and (n.created_at, n.id) < (p_from.at, p_from.id)
        and (n.read_at is null or not p_unread_only)
        and not n.is_withheld
      order by n.created_at desc, n.id desc
      limit p_limit
    ) as shown
    where s.user_id = app.user_id()
    order by shown.created_at desc, shown.id desc
    limit p_limit
  );
end
$$;
comment on function app.inbox_entries(boolean, app.list_entry, integer) is 'The next p_limit notifications that the caller may see behind a place of their inbox, newest first: the newest of each scope, merged, so that it does not matter how many lie in scopes that they may not see.';

revoke all on function app.inbox_entries(boolean, app.list_entry, integer) from public;
grant execute on function app.inbox_entries(boolean, app.list_entry, integer) to authenticated;
