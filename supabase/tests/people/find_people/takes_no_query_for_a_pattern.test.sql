select plan(4);

select tests.named('maya', 'Maya Berg');
select tests.named('may_a', 'Lena Berg');

create function pg_temp.find(p_query text)
returns text[]
language sql
stable
as $$
  select array_agg(p.username::text)
  from app.find_people(p_query, app.decode_hit(null), 10) as hit
  join app.profiles as p on p.user_id = hit.id
  where hit.tier < 4
$$;

select tests.act_as_guest();
select is(pg_temp.find('%'), null, 'no character stands for others');
select is(pg_temp.find('may_'), '{may_a}', 'an underscore is one');
select is(pg_temp.find('m%'), null, 'and a percent sign');
select is(pg_temp.find('\'), null, 'nor does any escape another');

select * from finish();
