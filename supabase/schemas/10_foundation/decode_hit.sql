create function app.decode_hit(p_cursor text)
returns app.search_hit
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  v_key bytea := (select k.key from app.cursor_keys as k);
  v_base64 text := translate(p_cursor, '-_', '+/');
  v_sealed bytea;
  v_plain bytea;
  v_parts jsonb;
begin
  if p_cursor is null then
    return (1, ''::text, '00000000-0000-0000-0000-000000000000'::uuid)::app.search_hit;
  end if;
  if char_length(p_cursor) > 4000 then
    raise invalid_parameter_value;
  end if;
  v_sealed := decode(rpad(v_base64, (char_length(v_base64) + 3) / 4 * 4, '='), 'base64');
  v_plain := extensions.decrypt_iv(substr(v_sealed, 17), sha256(v_key), substr(v_sealed, 1, 16), 'aes');
  if substr(v_sealed, 1, 16) <> substr(extensions.hmac(v_plain, v_key, 'sha256'), 1, 16) then
    raise invalid_parameter_value;
  end if;
  v_parts := convert_from(v_plain, 'UTF8')::jsonb;
  return ((v_parts ->> 0)::integer, v_parts ->> 1, (v_parts ->> 2)::uuid)::app.search_hit;
exception when data_exception or external_routine_invocation_exception then
  perform app.refuse_cursor();
end
$$;
comment on function app.decode_hit(text) is 'The search result that a page begins behind: what app.encode_hit wrote, or the top for null. Raises VALIDATION_FAILED for anything else.';

revoke all on function app.decode_hit(text) from public;
grant execute on function app.decode_hit(text) to anon, authenticated;
