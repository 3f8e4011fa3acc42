create function tests.has_session(p_name text)
returns void
language sql
security definer
as $$
  insert into app.sessions (id, user_id)
  select tests.id('session of ' || p_name), u.id from app.users as u where u.id = tests.id(p_name)
  on conflict do nothing;
$$;
comment on function tests.has_session(text) is 'Somebody who acts has a session; one made by tests.session stays as it is.';

create function tests.act_as(p_name text)
returns void
language plpgsql
as $$
begin
  perform tests.has_session(p_name);
  perform set_config('request.jwt.claims', tests.claims(p_name)::text, true);
  perform set_config('role', 'authenticated', true);
end
$$;
comment on function tests.act_as(text) is 'From here on statements run as this person, as the gateway and the Data API would run them; reset role ends it.';

create function tests.act_as_guest()
returns void
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', '{"role": "anon"}', true);
  perform set_config('role', 'anon', true);
end
$$;
comment on function tests.act_as_guest() is 'From here on statements run as somebody without a session; reset role ends it.';
