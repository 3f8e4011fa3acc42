create function app.sees_thread(p_root_id uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return not exists (
    select from app.comments as root join app.blocked_users as b on b.user_id = root.author_id where root.id = p_root_id
  );
end
$$;
comment on function app.sees_thread(uuid) is 'Whether the caller may see replies to a comment: its author and the caller have not blocked each other. Replies to somebody hidden from everybody stay. For the policy of comments, which cannot ask its own table.';

revoke all on function app.sees_thread(uuid) from public;
grant execute on function app.sees_thread(uuid) to anon, authenticated;
