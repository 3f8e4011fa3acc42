select plan(3);

select tests.elm();
select tests.act_as('maya');
create temporary table made as
select app.put_invite_link(tests.id('elm'), tests.hash('door'), 5, interval '3 days') as id;
select app.put_invite_link(tests.id('elm'), tests.hash('gate'), null, interval '30 days');
reset role;
select results_eq(
  'select id, hub_id, token_hash, max_uses, use_count, expires_at from app.invite_links where id in (select id from made)',
  $$ select id, tests.id('elm'), tests.hash('door'), 5, 0, app.now() + interval '3 days' from made $$, 'a link is as the manager says'
);
select results_eq(
  $$ select max_uses from app.invite_links where token_hash = tests.hash('gate') $$, array[null::integer], 'or without a limit'
);
select is_empty('select tests.events()', 'nobody is told');

select * from finish();
