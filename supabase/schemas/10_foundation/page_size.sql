create function app.page_size(p_args jsonb, p_default integer, p_max integer)
returns integer
language plpgsql
immutable
security invoker
set search_path = ''
as $$
declare
  v_limit integer := coalesce((p_args ->> 'limit')::integer, p_default);
begin
  if v_limit not between 1 and p_max then
    raise exception using errcode = 'PT422', message = 'VALIDATION_FAILED',
      detail = '{"issues":[{"path":["limit"],"code":"out_of_range","message":"No page of this list has that size."}]}';
  end if;
  return v_limit;
end
$$;
comment on function app.page_size(jsonb, integer, integer) is 'How many items a page has: the caller''s limit, or p_default. Raises VALIDATION_FAILED outside 1 to p_max.';

revoke all on function app.page_size(jsonb, integer, integer) from public;
grant execute on function app.page_size(jsonb, integer, integer) to anon, authenticated;
