create function app.page_size(p_args jsonb, p_default integer, p_max integer)
returns integer
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return coalesce(app.integer_argument(p_args, 'limit', 1, p_max), p_default);
end
$$;
comment on function app.page_size(jsonb, integer, integer) is 'How many items a page has: the caller''s limit, or p_default. Raises VALIDATION_FAILED outside 1 to p_max.';

revoke all on function app.page_size(jsonb, integer, integer) from public;
grant execute on function app.page_size(jsonb, integer, integer) to anon, authenticated;
