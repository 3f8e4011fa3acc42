-- Rooms move what they hold, in the order of docs/decisions/006-merge.md, after the locks of all. The pools
-- of votes do not change. A second run moves what was added since the first.
create function app.move_belongings(p_from uuid, p_into uuid) returns void
language plpgsql set search_path = '' as $$
begin
  perform app.lock_relations(p_from);
  perform app.lock_posts_to_move(p_from, p_into);
  perform app.move_identity(p_from, p_into);
  perform app.move_feeds(p_from, p_into);
  perform app.move_media(p_from, p_into);
  perform app.move_people(p_from, p_into);
  perform app.move_posts(p_from, p_into);
  perform app.move_comments(p_from, p_into);
  perform app.move_moderation(p_from, p_into);
  perform app.move_votes(p_from, p_into);
  perform app.move_events(p_from, p_into);
  perform app.move_notifications(p_from, p_into);
end
$$;
comment on function app.move_belongings is
  'Moves the data of p_from to p_into (docs/product.md I16); p_into keeps its own value where both have one.';
