select plan(2);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.message('root', 'jonas', 'trams in elm');
select tests.message(n::text, 'jonas', 'trams in elm', 'root') from generate_series(1, 6) as n;
create temporary table by_id as select array(select m.id from app.messages as m where m.parent_id is not null order by m.id) as ids;
grant select on by_id to public;
select tests.without_indexes();

create function pg_temp.thread()
returns uuid[]
language sql
return tests.listed_in_parts('list_messages', tests.in_discussion('trams in elm', jsonb_build_object('parentMessageId', tests.id('root'))));

select tests.act_as('maya');
select is(pg_temp.thread(), ids, 'in the order of their ids') from by_id;
reset role;
update app.messages set created_at = app.now() - interval '1 hour' from by_id where id = ids[6];
select tests.act_as('maya');
select is(pg_temp.thread(), ids[6] || ids[:5], 'the oldest first') from by_id;

select * from finish();
