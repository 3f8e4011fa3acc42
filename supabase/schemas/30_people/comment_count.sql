create function app.comment_count(p_user_id uuid)
returns bigint
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (select count(*) from app.comments as c where c.author_id = p_user_id);
end
$$;
comment on function app.comment_count(uuid) is 'How many comments somebody has made that are there. It reads past policies: to ask for each whether the caller sees its post would cost a profile what its person has said.';

revoke all on function app.comment_count(uuid) from public;
grant execute on function app.comment_count(uuid) to anon, authenticated;
