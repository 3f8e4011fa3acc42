create function app.require_destination(p_args jsonb)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_level(case p_args ->> 'visibility' when 'public' then 3 else 4 end);
  perform app.require_arguments(p_args, 'visibility');
  if app.choice_argument(p_args, 'visibility', variadic enum_range(null::app.post_visibility)::text[]) = 'public' then
    perform app.ids_argument(p_args, 'hubIds', 0, 0);
  else
    perform app.ids_argument(p_args, 'hubIds', 1, 20);
  end if;
end
$$;
comment on function app.require_destination(jsonb) is 'Lets a caller pass who may publish to the visibility of p_args: in public from level 3 on, to Hubs from level 4. Raises UNAUTHORIZED; FORBIDDEN below that; VALIDATION_FAILED for a public post with hubIds, and for any other without 1 to 20.';

revoke all on function app.require_destination(jsonb) from public;
grant execute on function app.require_destination(jsonb) to authenticated;
