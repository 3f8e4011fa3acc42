create function app.refuse_cursor()
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.refuse_argument('{cursor}', 'invalid_cursor', 'Not a cursor of this list.');
end
$$;
comment on function app.refuse_cursor() is 'Raises VALIDATION_FAILED for a cursor that no page of the list has given.';

revoke all on function app.refuse_cursor() from public;
grant execute on function app.refuse_cursor() to anon, authenticated;
