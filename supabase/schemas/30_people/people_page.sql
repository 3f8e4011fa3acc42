create function app.people_page(p_args jsonb, p_side text)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := (p_args ->> 'userId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_from record := app.decode_cursor(p_args ->> 'cursor');
  v_key text := app.search_key(app.text_argument(p_args, 'q', 1, 80));
  -- Where names are asked for, most do not fit: a request looks at so many and says where the next one goes on.
  v_window integer := case when v_key is not null then 10000 end;
  v_page app.list_entry[];
  v_end app.list_entry;
begin
  perform app.require_level(1);
  perform app.require_person(v_user_id);
  v_page := array(
    select (s.created_at, s.other_id)::app.list_entry
    from (
      select f.created_at, f.other_id
      from app.follow_sides as f
      where f.user_id = v_user_id and f.side = p_side
        and f.other_id not in (select h.user_id from app.hidden_users as h)
        and (f.created_at, f.other_id) < (v_from.at, v_from.id)
      order by f.created_at desc, f.other_id desc
      limit v_window
    ) as s
    join app.profiles as p on p.user_id = s.other_id
    where v_key is null or app.is_called(p, v_key)
    order by s.created_at desc, s.other_id desc
    limit v_limit + 1
  );
  if cardinality(v_page) > v_limit then
    v_end := v_page[v_limit];
  elsif v_key <> '' then
    select f.created_at, f.other_id into v_end
    from app.follow_sides as f
    where f.user_id = v_user_id and f.side = p_side
      and f.other_id not in (select h.user_id from app.hidden_users as h)
      and (f.created_at, f.other_id) < (v_from.at, v_from.id)
    order by f.created_at desc, f.other_id desc
    offset v_window - 1
    limit 1;
  end if;
  return jsonb_build_object('items', app.listed_people(v_page[:v_limit]), 'nextCursor', app.encode_cursor(v_end.at, v_end.id));
end
$$;
comment on function app.people_page(jsonb, text) is 'A page of followers, or of following (p_side), of somebody: takes userId, q, cursor, limit; answers items (UserLite and viewerFollows), newest first, and nextCursor. Raises UNAUTHORIZED, USER_NOT_FOUND, VALIDATION_FAILED for a foreign cursor.';

revoke all on function app.people_page(jsonb, text) from public;
grant execute on function app.people_page(jsonb, text) to authenticated;
