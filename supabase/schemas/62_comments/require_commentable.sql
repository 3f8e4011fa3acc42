create function app.require_commentable(p_post_id uuid)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if (app.require_post(p_post_id)).visibility = 'private_locked_hub' then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  return p_post_id;
end
$$;
comment on function app.require_commentable(uuid) is 'Lets a post pass, and answers it, that the caller may see and that can have comments. Raises POST_NOT_FOUND; FORBIDDEN for a private one.';

revoke all on function app.require_commentable(uuid) from public;
grant execute on function app.require_commentable(uuid) to anon, authenticated;
