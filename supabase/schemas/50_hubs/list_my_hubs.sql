create function api.list_my_hubs(jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  -- The tier, then the place within it.
  v_cursor text := p_args ->> 'cursor';
  v_from record := app.decode_cursor(substr(v_cursor, 2));
  -- Only Hub-ready people ask to join or are members.
  v_lowest_tier integer := case when app.require_level(1) < 4 then 3 else 1 end;
begin
  if v_cursor !~ '^[1-3]' then
    perform app.refuse_cursor();
  end if;
  return (
    with page as materialized (
      select e.*, row_number() over (order by e.tier desc, e.at desc, e.hub_id desc) as place
      from app.my_hub_entries as e
      where e.tier >= v_lowest_tier and (e.tier, e.at, e.hub_id) < (coalesce(left(v_cursor, 1)::integer, 3), v_from.at, v_from.id)
      order by e.tier desc, e.at desc, e.hub_id desc
      limit v_limit + 1
    )
    select jsonb_build_object(
      'items', coalesce(jsonb_agg(app.hub_card(h, page.standing) order by page.place) filter (where page.place <= v_limit), '[]'),
      'nextCursor', (
        select last.tier || app.encode_cursor(last.at, last.hub_id)
        from page as last
        where last.place = v_limit and exists (select from page as next where next.place > v_limit)
      )
    )
    from page
    join app.hubs as h on h.id = page.hub_id
  );
end
$$;
comment on function api.list_my_hubs(jsonb) is 'GET /users/me/hubs (spec.md D, contract.md 8). Takes cursor, limit; answers Hubs: those the caller is invited to, then those that they ask to join, both newest first, then theirs by last activity; and nextCursor. Below level 4 it lists invitations only: those of the caller''s verified phone. Raises UNAUTHORIZED, VALIDATION_FAILED for a foreign cursor.';

revoke all on function api.list_my_hubs(jsonb) from public;
grant execute on function api.list_my_hubs(jsonb) to authenticated;
