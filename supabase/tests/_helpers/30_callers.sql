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

create function tests.who_may(p_statement text)
returns setof text
language plpgsql
as $$
declare
  v_role text;
begin
  foreach v_role in array array[
    'anon', 'authenticated', 'opine_gateway', 'opine_service', 'opine_serializable', 'opine_staff', 'opine_worker', 'service_role',
    'staff_support', 'staff_moderator', 'staff_admin'
  ] loop
    begin
      perform set_config('role', v_role, true);
      execute p_statement;
      raise exception 'what it did is undone';
    exception
      when insufficient_privilege then null;
      when others then return next v_role;
    end;
  end loop;
end
$$;
comment on function tests.who_may(text) is 'The roles that no missing privilege or policy keeps from a statement, whatever else may refuse it. Nothing that it does stays.';
