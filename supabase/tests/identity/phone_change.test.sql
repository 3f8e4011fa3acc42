begin;
select plan(18);

create function pg_temp.args(p_phone text, p_code text default '1234', p_device text default null)
returns jsonb
language sql
return jsonb_build_object(
  'phoneNumber', tests.phone_of(p_phone), 'phoneHash', tests.hash_hex(tests.phone_of(p_phone)), 'codeHash',
  tests.hash_hex(p_code),
  'deviceHash', tests.hash_hex(p_device), 'prefixHash', tests.hash_hex('prefix'), 'codesPerDay', 5, 'codesPerPrefix',
  100
);

-- Calls an operation of the service with the claims of a session.
create function pg_temp.call(p_session text, p_owner text, p_operation text, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  perform set_config('request.jwt.claims', tests.claims(p_session, p_owner)::text, true);
  execute format('select api.%I($1)', p_operation) into v_answer using p_args;
  return v_answer;
end
$$;

savepoint empty;

-- A phone change needs level 3, and few codes a day pass.
select tests.person('nina', 2), tests.person('maya', 3), tests.session('nina'), tests.session('maya');
select is(
  tests.error_of(
    format('select pg_temp.call(%L, %1$L, %L, %L)', name, operation, pg_temp.args('new'))
  ) #>> '{details,requiredLevel}', expected,
  format('%s at level %s %s', operation, level, case when expected is null then 'passes' else 'is refused' end)
)
from (values ('nina', 2, '3'), ('maya', 3, null)) as c (name, level, expected)
cross join unnest(array['request_phone_change', 'verify_phone_change']) as operation;
select is(
  tests.error_of(
    format('select pg_temp.call(%L, %1$L, %L, %L)', 'maya', 'request_phone_change', pg_temp.args('new ' || n))
  ) ->> 'code',
  case when n = 5 then 'RATE_LIMITED' end, format('code %s of an account for another number on one day', n + 1)
)
from generate_series(1, 5) as n;

rollback to empty;

-- verify_phone_change moves the account to the proven number, and ends its other sessions.
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'amara']) as name;
select tests.session('maya'), tests.session('her tablet', 'maya'), tests.session('jonas');
select app.remember_places(tests.id('maya'), pg_temp.args('maya', p_device => 'old phone'));
select tests.hub('elm', 'amara');
select tests.invitation('open', 'elm', 'amara', 'maya'),
  tests.invitation('declined', 'elm', 'amara', 'maya', 'declined');
select tests.notification('invited', 'maya', 'hub_invite_received', 'amara', 'elm');
update app.events set invitation_id = tests.id('open');
select pg_temp.call('maya', 'maya', 'request_phone_change', pg_temp.args('new'));
select is(
  pg_temp.call('maya', 'maya', 'verify_phone_change', pg_temp.args('new', '0000')) #>> '{refusal,code}', 'OTP_INVALID',
  'a wrong code changes no phone'
);
select is(
  pg_temp.call('maya', 'maya', 'verify_phone_change', pg_temp.args('new', p_device => 'new phone')),
  jsonb_build_object('phoneNumber', tests.phone_of('new'), 'formerPhoneNumber', tests.phone_of('maya')),
  'the right code changes the phone, and the answer has both'
);
select is(
  phone, tests.phone_of('new'), 'an account has the phone whose code proved it'
) from app.users where id = tests.id('maya');
select set_eq(
  'select id from app.sessions', tests.ids('session of maya', 'session of jonas'),
  'a phone change ends the other sessions of the account, and nobody else''s'
);
select results_eq(
  'select place_hash from app.sign_in_places', array[tests.hash('new phone')],
  'a phone change forgets from where the old phone has signed in'
);
select results_eq(
  'select id from app.hub_invitations', tests.ids('open'), 'open invitations stay with the old phone, the others go'
);
select is_empty('select from app.notifications', 'notifications of invitations to the old phone go');

-- A phone that has an account is refused after its right code, which is used up.
select pg_temp.call('maya', 'maya', 'request_phone_change', pg_temp.args('jonas'));
select is(
  pg_temp.call('maya', 'maya', 'verify_phone_change', pg_temp.args('jonas')) #>> '{refusal,code}', expected, title
)
from (
  values
    ('PHONE_TAKEN', 'a phone change to the phone of another account is refused after the right code'),
    ('OTP_INVALID', 'the code of a refused phone change is used up')
) as c (expected, title);

select * from finish();
rollback;
