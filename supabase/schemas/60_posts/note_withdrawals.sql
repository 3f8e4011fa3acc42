create function app.note_withdrawals()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  -- Their originals first: a repost under way is waited for, and found below.
  update app.posts as s
  set repost_count = s.repost_count - gone.count
  from (
    select f.source_post_id, count(*) from former as f where f.source_post_id is not null group by f.source_post_id
  ) as gone
  where s.id = gone.source_post_id;
  perform app.take_back_act(
    'reposted', gone.author_id, gone.source_post_id,
    (
      select max(p.created_at) from app.posts as p
      where p.author_id = gone.author_id and p.source_post_id = gone.source_post_id
    )
  )
  from (select distinct f.author_id, f.source_post_id from former as f where f.source_post_id is not null) as gone;
  return null;
end
$$;
comment on function app.note_withdrawals() is 'After posts were deleted: their originals count and show their reposts no more.';

revoke all on function app.note_withdrawals() from public;
