create function app.members_page(p_args jsonb, p_role app.hub_role)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  if p_role = 'member' then
    v_page := array(
      select (m.joined_at, m.user_id)::app.list_entry
      from app.memberships as m
      where m.hub_id = v_hub_id
        and not exists (select from app.users_hidden_from_all as h where h.user_id = m.user_id)
        and (m.joined_at, m.user_id) < (v_from.at, v_from.id)
      order by m.joined_at desc, m.user_id desc
      limit v_limit + 1
    );
  else
    -- They have an index of their own, which a condition on p_role would hide.
    v_page := array(
      select (m.joined_at, m.user_id)::app.list_entry
      from app.memberships as m
      where m.hub_id = v_hub_id and m.role <> 'member'
        and not exists (select from app.users_hidden_from_all as h where h.user_id = m.user_id)
        and (m.joined_at, m.user_id) < (v_from.at, v_from.id)
      order by m.joined_at desc, m.user_id desc
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.listed_members(v_hub_id, array(select entry.id from unnest(v_page[:v_limit]) as entry)),
    'nextCursor', app.next_cursor(v_page, v_limit)
  );
end
$$;
comment on function app.members_page(jsonb, app.hub_role) is 'A page of members, or of those who are more than members (p_role), of a Hub of the caller''s: takes hubId, cursor, limit; answers items, who joined last first, and nextCursor. Raises VALIDATION_FAILED for a foreign cursor.';

revoke all on function app.members_page(jsonb, app.hub_role) from public;
grant execute on function app.members_page(jsonb, app.hub_role) to authenticated;
