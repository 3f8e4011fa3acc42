create function app.own_section(p_function text, p_room integer, out items jsonb, out size integer, out is_whole boolean)
returns record
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_items jsonb[] := '{}'::jsonb[];
  v_item jsonb;
begin
  size := 0;
  is_whole := true;
  -- Each is made when it is asked for: what there is no room for costs nothing. The limit of these functions is more than
  -- fits, and is there so that Postgres sorts rows first and makes items of them then.
  for v_item in execute format('select app.%I()', p_function) loop
    if size + octet_length(v_item::text) > p_room then
      is_whole := false;
      exit;
    end if;
    size := size + octet_length(v_item::text);
    v_items := array_append(v_items, v_item);
  end loop;
  items := to_jsonb(v_items);
end
$$;
comment on function app.own_section(text, integer) is 'A section of the export: what app.<p_function> answers, as far as p_room bytes hold it; its size, and whether that is all.';

revoke all on function app.own_section(text, integer) from public;
grant execute on function app.own_section(text, integer) to authenticated;
