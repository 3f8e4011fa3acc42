select plan(7);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
-- A whole half hour of the clock, so that the test means the same at any time of the day.
select app.set_clock_offset(date_bin('30 minutes', now(), 'epoch') + interval '1 hour' - now());
create temporary table begun as select app.now() as half_hour;
grant select on begun to public;

create function pg_temp.seen_at(p_later interval)
returns bigint
language plpgsql
as $$
begin
  perform set_config('role', 'none', true);
  perform app.set_clock_offset((select half_hour from begun) - now() + p_later);
  perform tests.act_as_guest();
  return app.vote_count(tests.id('jonas'));
end
$$;

insert into app.vote_receipts (post_id, user_id, voted_at)
select tests.id('trams'), tests.id('jonas'), half_hour from begun
union all
select tests.id('bikes'), tests.id('jonas'), half_hour + interval '29 minutes' from begun;
insert into app.vote_receipts (post_id, user_id, voted_at) select tests.id('bikes'), tests.id('maya'), 'epoch';

select is(pg_temp.seen_at('0'), 0::bigint, 'at once nobody learns of a vote');
select is(pg_temp.seen_at('59 minutes 59 seconds'), 0::bigint, 'nor later, as long as others may have come in its half hour');
select is(pg_temp.seen_at('1 hour'), 2::bigint, 'half an hour after that they count, all at once');
reset role;
select app.set_clock_offset(half_hour - now()) from begun;
select tests.act_as('jonas');
select is(app.vote_count(tests.id('jonas')), 2::bigint, 'the voter counts along');
select is(app.vote_count(tests.id('maya')), 1::bigint, 'what is old counts for everybody');
select is(app.vote_count(tests.id('nobody')), 0::bigint, 'who has not voted has none');
reset role;
select set_eq(
  $$ select tests.who_may('select app.vote_count(null)') $$, array['anon', 'authenticated'], 'profiles tell it to everybody'
);

select * from finish();
