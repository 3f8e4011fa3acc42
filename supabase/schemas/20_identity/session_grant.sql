create function app.session_grant(p_session_id uuid, p_user_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_lifetime interval := interval '15 minutes';
begin
  return jsonb_build_object(
    'sessionId', p_session_id,
    'issuedAt', app.iso(date_trunc('second', app.now())),
    'expiresAt', app.iso(date_trunc('second', app.now()) + v_lifetime),
    'expiresIn', extract(epoch from v_lifetime)::integer,
    'user', (
      select jsonb_build_object(
        'id', u.id,
        'username', p.username,
        'fullName', p.full_name,
        'isAnonymous', p.user_id is null,
        'level', app.level_of(u.id)
      )
      from app.users as u
      left join app.profiles as p on p.user_id = u.id
      where u.id = p_user_id
    )
  );
end
$$;
comment on function app.session_grant(uuid, uuid) is 'What the service needs to sign an access token for a session, and the session''s user: sessionId, issuedAt, expiresAt, expiresIn (seconds), user.';

revoke all on function app.session_grant(uuid, uuid) from public;
