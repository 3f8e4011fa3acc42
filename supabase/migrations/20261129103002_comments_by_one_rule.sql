-- A migration each, because a transaction that locks several tables deadlocks with requests.
set local lock_timeout = '5s';
set local statement_timeout = '60s';

alter policy comments_select on app.comments
using (
  -- Authors see their comments under hidden posts too, so that they can delete them.
  author_id = (select app.user_id())
  or (
    app.sees_post(post_id)
    and not is_hidden
    -- A deleted root whose replies are all hidden is kept for the end of the block.
    and case
      when author_id is null then reply_count > 0
      else author_id not in (select h.user_id from app.hidden_users as h)
    end
    and (parent_id is null or app.sees_thread(parent_id))
  )
);
