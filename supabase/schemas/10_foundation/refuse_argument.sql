create function app.refuse_argument(p_path text[], p_code text, p_message text)
returns void
language plpgsql
stable
set search_path = ''
as $$
begin
  raise exception using errcode = 'PT422', message = 'VALIDATION_FAILED', detail = jsonb_build_object(
    'issues', jsonb_build_array(jsonb_build_object('path', p_path, 'code', p_code, 'message', p_message))
  )::text;
end
$$;
comment on function app.refuse_argument(text[], text, text) is 'Refuses an argument of an operation. Args: p_path (the names that lead to it), p_code and p_message (for a program and for a person). Errors: always VALIDATION_FAILED, with this one issue.';

revoke all on function app.refuse_argument(text[], text, text) from public;
grant execute on function app.refuse_argument(text[], text, text) to anon, authenticated;
