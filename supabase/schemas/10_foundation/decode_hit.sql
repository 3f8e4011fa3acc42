create function app.decode_hit(p_cursor text)
returns app.search_hit
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_base64 text := translate(p_cursor, '-_', '+/');
  v_parts jsonb;
begin
  if p_cursor is null then
    return (1, ''::text, '00000000-0000-0000-0000-000000000000'::uuid)::app.search_hit;
  end if;
  if char_length(p_cursor) > 4000 then
    raise invalid_parameter_value;
  end if;
  v_parts := convert_from(decode(rpad(v_base64, (char_length(v_base64) + 3) / 4 * 4, '='), 'base64'), 'UTF8');
  if jsonb_array_length(v_parts) <> 3 or num_nulls(v_parts ->> 0, v_parts ->> 1, v_parts ->> 2) > 0
    or v_parts ->> 0 !~ '^[1-4]$' then
    raise invalid_parameter_value;
  end if;
  return ((v_parts ->> 0)::integer, v_parts ->> 1, (v_parts ->> 2)::uuid)::app.search_hit;
exception when data_exception then
  perform app.refuse_cursor();
end
$$;
comment on function app.decode_hit(text) is 'Behind what a page of a search begins: what app.encode_hit wrote, or the top for null. Raises VALIDATION_FAILED for anything else.';

revoke all on function app.decode_hit(text) from public;
grant execute on function app.decode_hit(text) to anon, authenticated;
