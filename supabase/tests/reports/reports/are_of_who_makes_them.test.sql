select plan(11);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');

create function pg_temp.report(p_caller text, p_reporter text, p_column text, p_target text)
returns text
language sql
return tests.refusal_of(p_caller, format(
  'insert into app.reports (reporter_id, %I, reason) values (%L, %L, %L)', p_column, tests.id(p_reporter), tests.id(p_target), 'spam'
));

select is(pg_temp.report('maya', 'maya', 'user_id', 'lena'), null, 'one reports people');
select is(pg_temp.report('maya', 'maya', 'post_id', 'trams'), null, 'posts');
select is(pg_temp.report('maya', 'maya', 'hub_id', 'ash'), null, 'and Hubs');
select is(pg_temp.report('maya', 'jonas', 'hub_id', 'elm'), '42501', 'as oneself');
select is(pg_temp.report('maya', null, 'hub_id', 'elm'), '42501', 'and not as nobody');
select is(pg_temp.report(null, 'maya', 'hub_id', 'elm'), '42501', 'guests report nothing');
select tests.act_as('maya');
select bag_eq(
  'select coalesce(user_id, post_id, hub_id), reporter_id, reason::text, state::text, created_at from app.reports',
  $$ select target, tests.id('maya') as reporter, 'spam' as reason, 'open' as state, app.now() as at from unnest(tests.ids('lena', 'trams', 'ash')) as target $$, 'one reads one''s own'
);
select tests.act_as('lena');
select is_empty('select from app.reports', 'and nobody else''s, of whomever they are');
reset role;
select is_empty(
  $$ select verb from unnest(array['state', 'created_at', 'id']) as kept, format('insert into app.reports (%s) values (default)', kept) as verb where exists (select from tests.who_may(verb)) $$,
  'nobody chooses its state'
);
select is_empty($$ select tests.who_may('update app.reports set details = details') $$, 'changes one');
select is_empty($$ select tests.who_may('delete from app.reports') $$, 'or takes one back');

select * from finish();
