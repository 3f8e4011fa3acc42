select plan(3);

select tests.person('maya');
select tests.session('maya');
select tests.device_token('hers', 'maya');
select tests.person('jonas');
select tests.session('jonas');
select tests.device_token('his', 'jonas');
insert into app.device_tokens (token_hash, user_id, platform, sealed_token)
select tests.hash(name), tests.id('maya'), 'android', tests.sealed(name) from unnest(array['named', 'unnamed']) as name;
select tests.session('maya at home', 'maya');

create function pg_temp.device_tokens()
returns setof bytea
language sql
begin atomic
  select token_hash from app.device_tokens;
end;

create function pg_temp.log_out(p_token text, p_device_token text, p_everywhere boolean default false)
returns void
language plpgsql
as $$
begin
  perform tests.act_as('maya');
  perform api.log_out(jsonb_build_object(
    'refreshTokenHash', tests.hex(p_token), 'logoutFromAllDevices', p_everywhere, 'deviceTokenHash', tests.hex(p_device_token)
  ));
  perform set_config('role', 'none', true);
end
$$;

select pg_temp.log_out('token of maya', 'named');
select set_eq(
  'select pg_temp.device_tokens()', array[tests.hash('his'), tests.hash('unnamed')],
  'the device token of the session goes, and the one that was named'
);
select pg_temp.log_out('token of maya at home', 'his');
select set_eq('select pg_temp.device_tokens()', array[tests.hash('his'), tests.hash('unnamed')], 'nobody removes the token of somebody else');
select tests.session('maya at work', 'maya');
select pg_temp.log_out('token of maya at work', null, p_everywhere => true);
select set_eq('select pg_temp.device_tokens()', array[tests.hash('his')], 'everywhere means every device token of the person');

select * from finish();
