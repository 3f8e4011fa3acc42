select plan(4);

create temporary table waits as
select attempts, app.backoff(attempts) as wait
from generate_series(0, 12) as attempts, generate_series(1, 20);
select is_empty(
  $$
    select * from waits
    where wait not between interval '45 seconds' * least(2 ^ attempts, 60) and interval '75 seconds' * least(2 ^ attempts, 60)
  $$,
  'twice as long each time, up to about an hour'
);
select is_empty(
  'select from waits group by attempts having count(distinct wait) = 1', 'what failed together does not come back together'
);
select ok(
  min(wait / least(2 ^ attempts, 60)) < interval '54 seconds' and max(wait / least(2 ^ attempts, 60)) > interval '66 seconds',
  'but anywhere in between'
)
from waits;
select lives_ok('select app.backoff(1000000)', 'and no number of tries is too many');

select * from finish();
