create function app.sees_comment(p_comment_id uuid)
returns boolean
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return exists (select from app.comments as c where c.id = p_comment_id);
end
$$;
comment on function app.sees_comment(uuid) is 'Whether the caller sees a comment. For the policy of comments, by which replies are seen by who sees the root: it cannot ask its own table.';

revoke all on function app.sees_comment(uuid) from public;
grant execute on function app.sees_comment(uuid) to anon, authenticated;
