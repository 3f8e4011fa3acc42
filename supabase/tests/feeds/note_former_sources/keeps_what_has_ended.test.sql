select plan(6);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.follow('maya', followee) from unnest(array['jonas', 'lena', 'amara']) as followee;
select tests.follow('lena', 'maya');
delete from app.follows where followee_id in (tests.id('lena'), tests.id('jonas'));
select set_eq(
  'select user_id, source_id, ended_at, ended_by from app.former_sources',
  $$ select tests.id('maya') as person, source, app.now() as at, pg_current_xact_id() as by from unnest(tests.ids('jonas', 'lena')) as source $$, 'whom somebody followed, until when'
);
delete from app.former_sources;
delete from app.memberships where user_id = tests.id('jonas') or hub_id = tests.id('ash');
select set_eq(
  'select user_id, source_id from app.former_sources', $$ values (tests.id('jonas'), tests.id('elm')), (tests.id('amara'), tests.id('ash')) $$, 'in which Hubs they were'
);
update app.former_sources set ended_at = app.now() - interval '1 hour', ended_by = '3';
select tests.membership('elm', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select results_eq(
  'select ended_at, ended_by from app.former_sources where user_id = tests.id(''jonas'')', 'select app.now(), pg_current_xact_id()', 'and the last time of several'
);
select is(count(*), 2::bigint, 'once') from app.former_sources;
update app.follows set is_muted = true;
update app.memberships set seen_at = app.now();
select is(count(*), 2::bigint, 'nothing of what goes on') from app.former_sources;
select throws_ok('select app.note_former_sources()', '0A000', null, 'by itself it is nothing');

select * from finish();
