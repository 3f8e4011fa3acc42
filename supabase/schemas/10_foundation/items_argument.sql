create function app.items_argument(p_args jsonb, p_name text, p_min integer, p_max integer, p_within text default null)
returns jsonb
language plpgsql
stable
set search_path = ''
as $$
declare
  v_items jsonb := coalesce(app.argument(p_args, p_name, 'array', p_within), '[]');
begin
  if jsonb_array_length(v_items) not between p_min and p_max then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'out_of_range', format('Must have from %s to %s items.', p_min, p_max)
    );
  end if;
  return v_items;
end
$$;
comment on function app.items_argument(jsonb, text, integer, integer, text) is 'Reads an array of p_min to p_max items. Args: as app.argument. Returns the JSON array; an empty one where it is missing or null. Errors: VALIDATION_FAILED.';

revoke all on function app.items_argument(jsonb, text, integer, integer, text) from public;
grant execute on function app.items_argument(jsonb, text, integer, integer, text) to anon, authenticated;
