create function app.move_feeds(p_from uuid, p_into uuid) returns void
language sql set search_path = ''
begin atomic
  update app.default_feed_users as d
  set user_id = p_into
  where d.user_id = p_from and not exists (select from app.default_feed_users as own where own.user_id = p_into);
end;
comment on function app.move_feeds is 'Makes an account a default feed user in the place of the one merged into it.';

create function app.erase_feeds(p_user_id uuid) returns void
language sql set search_path = ''
begin atomic
  delete from app.default_feed_users where user_id = p_user_id;
end;
comment on function app.erase_feeds is 'An ended account is no default feed user (docs/product.md F3).';

create function app.is_default_feed_user() returns boolean
language sql stable set search_path = ''
begin atomic
  select exists (select from app.default_feed_users as d where d.user_id = app.user_id());
end;
comment on function app.is_default_feed_user is 'Returns whether the caller is a default feed user, for the export.';
grant execute on function app.is_default_feed_user to authenticated;
