create policy discussions_select on app.discussions for select to authenticated
using (
  not is_hidden
  and hub_id in (select mine.hub_id from app.my_hubs as mine)
  and (
    -- Spares most callers a look at each post.
    not exists (select from app.blocked_users)
    or not app.is_post_across_block(post_id)
    or hub_id in (select mine.hub_id from app.my_hubs as mine where mine.role >= 'manager')
  )
);

create policy messages_select on app.messages for select to authenticated
using (
  hub_id in (select mine.hub_id from app.my_hubs as mine)
  and (author_id is null or author_id not in (select s.user_id from app.suspensions as s))
);

create policy saved_discussions_select on app.saved_discussions for select to authenticated
using (user_id = (select app.user_id()));

create policy saved_discussions_insert on app.saved_discussions for insert to authenticated
with check (
  user_id = (select app.user_id())
  and exists (select from app.discussions as d where d.id = saved_discussions.discussion_id)
);

create policy saved_discussions_delete on app.saved_discussions for delete to authenticated
using (user_id = (select app.user_id()));

create policy discussion_reads_select on app.discussion_reads for select to authenticated
using (user_id = (select app.user_id()));

create policy discussion_reads_insert on app.discussion_reads for insert to authenticated
with check (
  user_id = (select app.user_id())
  and exists (select from app.discussions as d where d.id = discussion_reads.discussion_id)
);

create policy discussion_reads_update on app.discussion_reads for update to authenticated
using (user_id = (select app.user_id()))
with check (user_id = (select app.user_id()));
