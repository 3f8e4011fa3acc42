create function app.ids_argument(p_args jsonb, p_name text, p_min integer, p_max integer, p_within text default null)
returns uuid[]
language plpgsql
stable
set search_path = ''
as $$
declare
  v_items jsonb := app.items_argument(p_args, p_name, p_min, p_max, p_within);
  v_path text[] := array_remove(array[p_within, p_name], null);
  v_ids uuid[];
begin
  if exists (select from jsonb_array_elements_text(v_items) as item (id) where not pg_input_is_valid(item.id, 'uuid')) then
    perform app.refuse_argument(v_path, 'invalid_format', 'Must hold UUIDs alone.');
  end if;
  v_ids := array(select item.id::uuid from jsonb_array_elements_text(v_items) with ordinality as item (id, place) order by item.place);
  if cardinality(v_ids) <> (select count(distinct given.id) from unnest(v_ids) as given (id)) then
    perform app.refuse_argument(v_path, 'not_distinct', 'Must be distinct.');
  end if;
  return v_ids;
end
$$;
comment on function app.ids_argument(jsonb, text, integer, integer, text) is 'Reads an array of p_min to p_max distinct ids. Args: as app.argument. Returns the ids in their order; none where it is missing or null. Errors: VALIDATION_FAILED.';

revoke all on function app.ids_argument(jsonb, text, integer, integer, text) from public;
grant execute on function app.ids_argument(jsonb, text, integer, integer, text) to anon, authenticated;
