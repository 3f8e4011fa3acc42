create function app.renew_feed_share()
returns trigger
language plpgsql
volatile
security invoker
set search_path = ''
as $$
begin
  new.shared_at := greatest(old.shared_at, app.now());
  return new;
end
$$;
comment on function app.renew_feed_share() is 'Before a share gets another id: it is another share, of now, whatever the time that its transaction began.';

revoke all on function app.renew_feed_share() from public;
