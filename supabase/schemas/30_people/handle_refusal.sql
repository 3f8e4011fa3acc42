create function app.handle_refusal(p_handle text)
returns text
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return case
    when not app.is_handle(p_handle) then 'invalid'
    when app.is_reserved_handle(p_handle) then 'reserved'
    when app.is_handle_taken(p_handle) then 'taken'
  end;
end
$$;
comment on function app.handle_refusal(text) is 'Why the caller cannot have a handle now: invalid, reserved or taken; null where they can. A preview of what the constraints of app.profiles hold.';

revoke all on function app.handle_refusal(text) from public;
grant execute on function app.handle_refusal(text) to authenticated;
