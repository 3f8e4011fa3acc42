create function app.require_destination(p_args jsonb)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(case p_args ->> 'visibility' when 'public' then 3 else 4 end);
  if (p_args ->> 'visibility' = 'public') <> (jsonb_array_length(coalesce(nullif(p_args -> 'hubIds', 'null'), '[]')) = 0) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function app.require_destination(jsonb) is 'Lets a caller pass who may publish to the visibility of p_args: in public from level 3 on, to Hubs from level 4. Raises UNAUTHORIZED; FORBIDDEN below that, for a public post with hubIds, and for any other without.';

revoke all on function app.require_destination(jsonb) from public;
grant execute on function app.require_destination(jsonb) to authenticated;
