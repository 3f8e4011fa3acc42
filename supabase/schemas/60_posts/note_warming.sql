create function app.note_warming()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  insert into app.warmings (post_id, trending_before) values (old.id, old.trending_at);
  return null;
end
$$;
comment on function app.note_warming() is 'After people did something with a post: keeps what trending ranked it by before.';

revoke all on function app.note_warming() from public;
