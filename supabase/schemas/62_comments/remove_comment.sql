create function app.remove_comment(p_comment_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_is_theirs boolean := (
    select coalesce(app.user_id() in (c.author_id, p.author_id), false)
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where c.id = p_comment_id
  );
begin
  if not v_is_theirs then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if not app.erase_comment(p_comment_id) then
    raise exception using errcode = 'PT404', message = 'COMMENT_NOT_FOUND';
  end if;
end
$$;
comment on function app.remove_comment(uuid) is 'The caller deletes a comment that is theirs or under a post of theirs. Raises FORBIDDEN for any other; COMMENT_NOT_FOUND where it is gone already.';

revoke all on function app.remove_comment(uuid) from public;
grant execute on function app.remove_comment(uuid) to authenticated;
