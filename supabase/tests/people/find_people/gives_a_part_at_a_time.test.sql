select plan(14);

select tests.named('nina', 'One');
select tests.named('nina_b', 'Two');
select tests.named('first', 'Nina Two');
select tests.named('first_b', 'Nina Un');
select tests.named('last', 'Two Nina');
select tests.named('last_b', 'Two Ninas');
select tests.named('alike_b', 'Ninna');
select tests.named('alike', 'Xu Nina Ko');

create function pg_temp.find(p_limit integer, p_after app.search_hit default app.decode_hit(null))
returns text
language sql
return (
  select string_agg(hit.tier || ':' || p.username, ' ' order by hit.place)
  from app.find_people('nina', p_after, p_limit) with ordinality as hit (tier, key, user_id, place)
  join app.profiles as p using (user_id)
);

select tests.act_as_guest();
select is(
  pg_temp.find(10), '1:nina 1:nina_b 2:first 2:first_b 3:last 3:last_b 4:alike 4:alike_b', 'everybody, with how well they fit'
);
select is(
  array_length(string_to_array(pg_temp.find(n), ' '), 1), n, format('%s of them, where so many are asked for', n)
)
from generate_series(1, 8) as n;
select is(
  pg_temp.find(10, (1, 'nina', tests.id('nina'))::app.search_hit), '1:nina_b 2:first 2:first_b 3:last 3:last_b 4:alike 4:alike_b',
  'and those behind somebody'
);
select is(
  pg_temp.find(10, (2, 'nina two', tests.id('first'))::app.search_hit), '2:first_b 3:last 3:last_b 4:alike 4:alike_b', 'of their tier'
);
select is(
  pg_temp.find(10, (3, 'nina', tests.id('last'))::app.search_hit), '3:last_b 4:alike 4:alike_b', 'and of those that are left'
);
select is(pg_temp.find(2, (4, '', tests.id('last'))::app.search_hit), '4:alike 4:alike_b', 'down to the last tier');
select is(pg_temp.find(10, (4, '9999999', tests.id('last'))::app.search_hit), null, 'until nobody is left');

select * from finish();
