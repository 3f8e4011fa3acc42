select plan(3);

select tests.person('maya');
select tests.session('maya');
select tests.session('maya at home', 'maya');
update app.sessions set last_used_at = last_used_at - interval '1 day', device_kind = 'ios' where id = tests.id('session of maya');
select tests.person('jonas');
select tests.session('jonas');

select tests.act_as('maya');
select is(
  api.list_sessions('{}'),
  (
    select jsonb_build_object('nextCursor', null, 'items', jsonb_agg(jsonb_build_object(
      'id', s.id, 'kind', s.device_kind, 'createdAt', app.iso(s.created_at), 'lastUsedAt', app.iso(s.last_used_at),
      'isCurrent', s.device_kind = 'ios'
    ) order by s.last_used_at desc))
    from app.sessions as s
  ),
  'what is known of each, and which of them asks'
);
select is(tests.listed(api.list_sessions('{}')), tests.ids('session of maya at home', 'session of maya'), 'the last used first');
reset role;
select is(tests.refusal_of(null, $$ select api.list_sessions('{}') $$), '42501', 'guests have none');

select * from finish();
