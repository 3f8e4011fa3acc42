select plan(2);

select app.use_meter('knocks', 'door', 2, interval '1 minute') from generate_series(1, 2);
create temporary table meters as select empty_at from app.rate_meters;
select is(count(app.use_meter('knocks', 'door', 2, interval '1 minute'))::integer, 50, 'fifty are refused') from generate_series(1, 50);
select results_eq('select empty_at from app.rate_meters', 'select empty_at from meters', 'and nobody waits the longer for it');

select * from finish();
