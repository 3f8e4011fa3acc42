create function app.members_called(p_args jsonb)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_key text collate "C" := regexp_replace(app.search_key(app.text_argument(p_args, 'q', 1, 80)), '\s+', ' ', 'g');
  v_end text collate "C" := app.end_of_prefix(v_key);
  v_after app.search_hit := app.decode_hit(p_args ->> 'cursor');
  v_hits app.search_hit[];
begin
  -- Where the range of the index begins.
  v_after.key := greatest(v_after.key, v_key);
  if v_key <> '' then
    v_hits := array(
      select (1, n.name, n.user_id)::app.search_hit
      from app.member_names as n
      where n.hub_id = v_hub_id and n.name < v_end and (n.name, n.user_id) > (v_after.key, v_after.id)
        and not exists (select from app.users_hidden_from_all as h where h.user_id = n.user_id)
        -- Somebody with several such names stands by the first of them; one look each, as in app.hub_people.
        and n.name = (
          select min(own.name) from app.member_names as own
          where own.hub_id = n.hub_id and own.user_id = n.user_id and own.name >= v_key
        )
      order by n.name, n.user_id
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'items', app.listed_members(v_hub_id, array(select hit.id from unnest(v_hits[:v_limit]) as hit)),
    'nextCursor', case when cardinality(v_hits) > v_limit then app.encode_hit(v_hits[v_limit]) end
  );
end
$$;
comment on function app.members_called(jsonb) is 'Members of a Hub of the caller''s whose username, or display name from one of its words on, begins with q: takes hubId, q, cursor, limit; answers items in alphabetical order and nextCursor. Raises VALIDATION_FAILED for a foreign cursor.';

revoke all on function app.members_called(jsonb) from public;
grant execute on function app.members_called(jsonb) to authenticated;
