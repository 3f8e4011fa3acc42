create function app.require_comment(p_comment_id uuid)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if not exists (select from app.comments as c where c.id = p_comment_id and c.author_id is not null) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
  return p_comment_id;
end
$$;
comment on function app.require_comment(uuid) is 'Lets a comment pass, and answers it, that the caller may see and that is not deleted. Raises COMMENT_NOT_FOUND.';

revoke all on function app.require_comment(uuid) from public;
grant execute on function app.require_comment(uuid) to authenticated;
