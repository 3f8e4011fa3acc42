create function app.hold_post()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform from app.posts as p where p.id = (to_jsonb(new) ->> tg_argv[0])::uuid for no key update;
  if not found then
    raise exception using errcode = 'PT404', message = 'POST_NOT_FOUND';
  end if;
  return new;
end
$$;
comment on function app.hold_post() is 'Before something is done with a post, named by the column that is the trigger''s argument: whoever does so too, or deletes it, comes after or before, not between. Raises POST_NOT_FOUND where it has gone meanwhile.';

revoke all on function app.hold_post() from public;
