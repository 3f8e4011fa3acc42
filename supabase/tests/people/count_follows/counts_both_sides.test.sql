select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;

create function pg_temp.counts()
returns setof text
language sql
as $$
  select format('%s: %s, %s', p.username, c.follower_count, c.following_count)
  from app.follow_counts as c
  join app.profiles as p on p.user_id = c.user_id
$$;

select tests.follow('maya', 'jonas');
select set_eq('select pg_temp.counts()', array['maya: 0, 1', 'jonas: 1, 0'], 'a follow counts for both');
insert into app.follows (follower_id, followee_id)
values
  (tests.id('jonas'), tests.id('maya')), (tests.id('lena'), tests.id('maya')),
  (tests.id('lena'), tests.id('jonas')), (tests.id('maya'), tests.id('lena'));
select set_eq(
  'select pg_temp.counts()', array['maya: 2, 2', 'jonas: 2, 1', 'lena: 1, 2'], 'many in one statement are counted each'
);
delete from app.follows where followee_id = tests.id('maya');
select set_eq('select pg_temp.counts()', array['maya: 0, 2', 'jonas: 2, 0', 'lena: 1, 1'], 'and so are those that end');
update app.follows set is_muted = true;
select set_eq('select pg_temp.counts()', array['maya: 0, 2', 'jonas: 2, 0', 'lena: 1, 1'], 'muted follows count on');
delete from app.follows;
select set_eq('select pg_temp.counts()', array['maya: 0, 0', 'jonas: 0, 0', 'lena: 0, 0'], 'down to none');

select * from finish();
