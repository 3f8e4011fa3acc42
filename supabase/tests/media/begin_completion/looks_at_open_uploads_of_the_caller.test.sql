select plan(7);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.open_upload(name, 'maya') from unnest(array['open', 'done']) as name;
select tests.asset('picture', 'maya');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('done');

create function pg_temp.look_at(p_caller text, p_name text, p_change jsonb default '{}')
returns jsonb
language sql
return tests.complete(p_caller, tests.completion(p_name, p_change)) -> 'upload';

select is(pg_temp.look_at('jonas', 'open'), 'null', 'nobody completes what is another''s');
select is(pg_temp.look_at('maya', 'nothing'), 'null', 'nor what is not there');
select is(pg_temp.look_at('maya', 'done'), 'null', 'nor what is done');
select is(pg_temp.look_at('maya', 'open', '{"purpose": "document"}'), 'null', 'nor for another purpose');
update app.uploads set expires_at = app.now() + interval '1 microsecond';
select isnt(pg_temp.look_at('maya', 'open'), 'null', 'until it expires');
update app.uploads set expires_at = app.now();
select is(pg_temp.look_at('maya', 'open'), 'null', 'it does');
select is(count(*)::integer, 1, 'where there is nothing to look at nothing is to be stored') from app.stored_objects where expires_at is not null;

select * from finish();
