select plan(8);

select tests.elm();
create temporary table places as
select unnest(array['vote_pools', 'vote_slots', 'vote_slots_even', 'vote_slots_odd']) as place;
grant select on places to public;

select tests.act_as('jonas');
select throws_ok(format('select from app.%I', place), '42501', null, place || ': not by a member') from places;
select tests.act_as_guest();
select throws_ok(format('select from app.%I', place), '42501', null, place || ': not by a guest') from places;

select * from finish();
