select plan(11);

select tests.person('lena');
select tests.slider('trams', 'lena');
insert into app.users (id) select tests.id('voter ' || n) from generate_series(1, 500) as n;
insert into app.vote_receipts (post_id, user_id, voted_at)
select tests.id('trams'), tests.id('voter ' || n), date_trunc('minute', app.now()) from generate_series(1, 500) as n;
insert into app.fresh_votes (post_id, user_id, cast_at)
select tests.id('trams'), tests.id('voter ' || n), app.now() + n * interval '1 second' from generate_series(1, 500) as n;
select tests.vote('lena', 'trams', 'left');
update app.fresh_votes set cast_at = app.now() + interval '501 seconds' where user_id = tests.id('lena');
select ok(app.fold_receipts(), 'five hundred at a time: there may be more');
select is(count(baseline), 500::bigint, 'of those who voted first') from app.vote_receipts where user_id <> tests.id('lena');
select bag_eq($$ select tests.baselines('trams') $$, array['lena: not ranked'], 'the rest waits');
select ok(app.fold_receipts(), 'for the next time');
select bag_eq($$ select tests.baselines('trams') $$, array['lena: 501'], 'and goes on from there');
select ok(not app.fold_receipts(), 'until there is none');

select tests.person(name) from unnest(array['maya', 'noor']) as name;
select tests.vote(name, 'trams', 'left') from unnest(array['maya', 'noor']) as name;
update app.fresh_votes set hub_count = 6000;
update app.fresh_votes set cast_at = cast_at - interval '1 second' where user_id = tests.id('maya');
select ok(app.fold_receipts(), 'one alone where they come into thousands of streams');
select is(count(*), 1::bigint, 'and another one waits') from app.fresh_votes where user_id = tests.id('noor');
select tests.person('ben');
select tests.vote('ben', 'trams', 'left');
select app.fold_receipts();
select bag_eq($$ select tests.baselines('trams') $$, array['lena: 501', 'maya: 502', 'ben: 503', 'noor: not ranked'], 'behind those who are in fewer Hubs');

delete from app.fresh_votes;
create function pg_temp.left_over(p_hub_counts integer[])
returns bigint
language plpgsql
as $$
begin
  insert into app.fresh_votes (post_id, user_id, hub_count, cast_at)
  select tests.id('trams'), tests.id('maya'), hub_count, app.now() + place * interval '1 second'
  from unnest(p_hub_counts) with ordinality as vote (hub_count, place);
  perform app.fold_receipts();
  return (select count(*) from app.fresh_votes);
end
$$;
select is(pg_temp.left_over(array[2499, 2200, 298]), 0::bigint, 'as many as come into 5,000 streams');
select is(pg_temp.left_over(array[2499, 2200, 299]), 1::bigint, 'and not into one more');

select * from finish();
