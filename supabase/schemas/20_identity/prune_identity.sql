create function app.prune_identity()
returns void
language sql
volatile
security definer
set search_path = ''
begin atomic
  -- Sessions first, as whoever ends one does; what somebody is at work on waits for the next turn.
  delete from app.sessions
  where id in (
    select s.id
    from app.sessions as s
    where not exists (select from app.refresh_tokens as t where t.session_id = s.id and t.expires_at > app.now())
    for update skip locked
  );
  delete from app.refresh_tokens
  where token_hash in (
    select t.token_hash from app.refresh_tokens as t where t.expires_at <= app.now() for update skip locked
  );
  delete from app.otp_codes where requested_at <= app.now() - interval '1 day';
end;
comment on function app.prune_identity() is 'Upkeep: deletes expired refresh tokens, sessions that no token can renew, and codes past the day that their limits count.';

revoke all on function app.prune_identity() from public;
grant execute on function app.prune_identity() to opine_worker;
