begin;
select plan(13);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.slider(name, 'maya') from unnest(array['trams', 'bikes', 'boats']) as name;
create temporary table begun as select date_trunc('day', now(), 'UTC') + interval '1 day' as midnight;
grant select on begun to public;

create function pg_temp.set_time(p_time text)
returns void
language sql
begin atomic
  select app.set_clock_offset((select midnight + p_time::interval from begun) - now());
end;

create function pg_temp.vote_at(p_voter text, p_post text, p_time text)
returns void
language sql
begin atomic
  insert into app.vote_receipts (post_id, user_id, voted_at)
  select tests.id(p_post), tests.id(p_voter), midnight + p_time::interval from begun;
end;

create function pg_temp.counted(p_voter text)
returns text
language sql
begin atomic
  select format('%s until %s', c.count, c.counted_until - b.midnight)
  from app.receipt_counts as c
  cross join begun as b
  where c.user_id = tests.id(p_voter);
end;

create function pg_temp.own_votes(p_voter text)
returns bigint
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_voter)::text, true);
  return app.vote_count(tests.id(p_voter));
end
$$;

create function pg_temp.votes_seen_by_guest(p_voter text)
returns bigint
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', '', true);
  return app.vote_count(tests.id(p_voter));
end
$$;

select pg_temp.vote_at('jonas', 'trams', '-1 day -1 minute');
select pg_temp.vote_at('jonas', 'bikes', '-1 minute');
select pg_temp.vote_at('jonas', 'boats', '10 minutes');

select pg_temp.set_time('59 minutes');
select app.count_receipts(array[tests.id('jonas')]);
select is(
  pg_temp.counted('jonas'), '1 until -1 days', 'count_receipts counts up to a midnight that is an hour ago or more'
);
select is(pg_temp.own_votes('jonas'), 3::bigint, 'vote_count adds the votes that are not counted yet');
select is(
  pg_temp.votes_seen_by_guest('jonas'), 2::bigint, 'vote_count adds for others those of half hours that they see'
);

select pg_temp.set_time('60 minutes');
select app.count_receipts(array[tests.id('jonas'), tests.id('lena'), null]);
select is(pg_temp.counted('jonas'), '2 until 00:00:00', 'count_receipts goes on from where it counted to last');
select is(pg_temp.own_votes('jonas'), 3::bigint, 'vote_count is the same after votes were counted');
select is(pg_temp.counted('lena'), '0 until 00:00:00', 'count_receipts counts people whose votes are all new');

delete from app.posts where id in (tests.id('trams'), tests.id('boats'));
select is(pg_temp.counted('jonas'), '1 until 00:00:00', 'a deleted post takes votes along that were counted');
select is(pg_temp.own_votes('jonas'), 1::bigint, 'a deleted post takes votes along that were not counted');

select tests.slider('ferries', 'maya');
select pg_temp.vote_at(voter, 'ferries', '-1 hour') from unnest(array['jonas', 'lena']) as voter;
select app.move_votes(tests.id('jonas'), tests.id('lena'));
select is(pg_temp.own_votes('lena'), 2::bigint, 'a merge counts the votes of both accounts, one for each post');
select app.count_receipts(array[tests.id('lena')]);
select is(pg_temp.counted('lena'), '2 until 00:00:00', 'count_receipts counts a merged account anew');

select tests.vote('lena', name, 'left') from tests.slider('canals', 'maya'), unnest(array['canals']) as name;
select pg_temp.set_time('2 days');
select tests.fold();
select is(pg_temp.counted('lena'), '3 until 1 day', 'a fold counts the votes of its voters');

select app.erase_person(tests.id('lena'));
select is(pg_temp.counted('lena'), null, 'the end of an account erases the number of its votes');
select app.count_receipts(array[tests.id('lena')]);
select is(pg_temp.counted('lena'), null, 'count_receipts leaves out ended accounts');

select * from finish();
rollback;
