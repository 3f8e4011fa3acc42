create function app.hold_post()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.hold_memberships(app.user_id());
  perform from app.posts as p where p.id = (to_jsonb(new) ->> tg_argv[0])::uuid for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return new;
end
$$;
comment on function app.hold_post() is 'Before the caller comments on, shares or reposts a post, named by the column in the trigger''s argument: locks the caller, then the post, so that a deletion of the post comes before or after. Raises POST_NOT_FOUND where it has been deleted.';

revoke all on function app.hold_post() from public;
