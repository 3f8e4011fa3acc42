create function api.refresh_session(jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  p_args alias for $1;
  v_now timestamptz := app.now();
  v_token_hash bytea := decode(p_args ->> 'refreshTokenHash', 'hex');
  v_token app.refresh_tokens;
begin
  -- Refreshes of a session come one after the other, and its end takes the same lock first.
  perform from app.sessions as s
  where s.id = (select t.session_id from app.refresh_tokens as t where t.token_hash = v_token_hash)
  for update;
  select * into v_token from app.refresh_tokens as t where t.token_hash = v_token_hash;
  if v_token.expires_at is null or v_token.expires_at <= v_now then
    return app.refusal('UNAUTHORIZED');
  end if;
  if v_token.replaced_at <= v_now - interval '60 seconds' then
    delete from app.sessions where id = v_token.session_id;
    return app.refusal('UNAUTHORIZED');
  end if;
  if v_token.replaced_at is null then
    -- Four an hour are enough, and each token stays for 60 days: no client shall make millions of them.
    perform app.require_meter('refreshes', v_token.session_id::text, 300, interval '1 hour');
    update app.refresh_tokens as t set replaced_at = v_now where t.token_hash = v_token.token_hash;
    update app.sessions as s set last_used_at = v_now where s.id = v_token.session_id;
    perform app.add_refresh_token(v_token.session_id, decode(p_args ->> 'successorHash', 'hex'));
  end if;
  return (
    select app.session_grant(s.id, s.user_id)
    from app.sessions as s
    where s.id = v_token.session_id
  );
end
$$;
comment on function api.refresh_session(jsonb) is 'POST /auth/session/refresh (spec.md A). Takes refreshTokenHash and successorHash, which the service derives from the token, so that every refresh with one token means one successor. Rotates on first use, answers alike for 60 s after; a later reuse is a stolen token''s and ends the session. Answers app.session_grant; refuses with UNAUTHORIZED. Raises RATE_LIMITED beyond 300 an hour for a session.';

revoke all on function api.refresh_session(jsonb) from public;
grant execute on function api.refresh_session(jsonb) to opine_service;
