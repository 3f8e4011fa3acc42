create function tests.phone_of(p_name text)
returns text
language sql
immutable
return '+1' || lpad(('x' || left(md5(p_name), 8))::bit(32)::bigint::text, 10, '5');
comment on function tests.phone_of(text) is 'The phone number of a person.';

create function tests.person(p_name text, p_level integer default 2)
returns uuid
language plpgsql
as $$
begin
  insert into app.users (id, phone, phone_verified_at, media_completed_at, contacts_synced_at)
  values (
    tests.id(p_name),
    case when p_level >= 3 then tests.phone_of(p_name) end,
    case when p_level >= 3 then app.now() end,
    case when p_level >= 3 then app.now() end,
    case when p_level >= 4 then app.now() end
  );
  if p_level >= 2 then
    insert into app.profiles (user_id, username, full_name) values (tests.id(p_name), p_name, initcap(p_name));
  end if;
  return tests.id(p_name);
end
$$;
comment on function tests.person(text, integer) is 'Somebody of level p_level: 1 anonymous, 2 registered, 3 phone-confirmed, 4 Hub-ready.';

create function tests.session(p_name text, p_owner text default null)
returns uuid
language plpgsql
as $$
begin
  insert into app.sessions (id, user_id) values (tests.id('session of ' || p_name), tests.id(coalesce(p_owner, p_name)));
  insert into app.refresh_tokens (token_hash, session_id, expires_at)
  values (tests.hash('token of ' || p_name), tests.id('session of ' || p_name), app.now() + interval '60 days');
  return tests.id('session of ' || p_name);
end
$$;
comment on function tests.session(text, text) is 'A live session called p_name, of the person of that name or of p_owner, with its refresh token.';

create function tests.claims(p_name text, p_owner text default null)
returns jsonb
language sql
stable
return jsonb_build_object(
  'sub', tests.id(coalesce(p_owner, p_name)),
  'session_id', tests.id('session of ' || p_name),
  'role', 'authenticated',
  'exp', floor(extract(epoch from now()))::bigint + 15 * 60
);
comment on function tests.claims(text, text) is 'The claims of an access token of tests.session(p_name, p_owner), issued when the test began.';
