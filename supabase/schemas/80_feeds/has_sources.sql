create function app.has_sources()
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if app.user_id() is null then
    return false;
  end if;
  return exists (select from app.my_sources) or exists (select from app.posts as p where p.author_id = app.user_id());
end
$$;
comment on function app.has_sources() is 'Whether the caller has a home feed of their own: follows somebody, is in a Hub, or has a post (contract.md 7).';

revoke all on function app.has_sources() from public;
grant execute on function app.has_sources() to anon, authenticated;
