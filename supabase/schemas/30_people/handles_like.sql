create function app.handles_like(p_text text)
returns text[]
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_common text := 'opinion';
  -- A handle has at most 30 characters, the longest suffix 5.
  v_stem text := left(coalesce(nullif(regexp_replace(normalize(p_text, nfd), '[^a-z0-9_]', '', 'g'), ''), v_common), 25);
begin
  -- A reserved name with a number would still pass for what it names.
  if app.is_reserved_handle(v_stem) then
    v_stem := v_common;
  end if;
  return array(
    select candidate.handle
    from (
      select distinct v_stem || floor(10 ^ digits * (0.1 + 0.9 * random()))::integer as handle, digits
      from generate_series(2, 5) as digits
      cross join generate_series(1, 8)
    ) as candidate
    where app.handle_refusal(candidate.handle) is null
    order by candidate.digits
    limit 3
  );
end
$$;
comment on function app.handles_like(text) is 'Up to three handles that are free now: what of the text a handle may hold, without accents, and a random number, as short as one is free.';

revoke all on function app.handles_like(text) from public;
grant execute on function app.handles_like(text) to authenticated;
