select plan(4);

create function pg_temp.wait()
returns interval
language sql
return app.meter_opens_at('knocks', 'door', 2, interval '1 minute') - app.now();

select is(pg_temp.wait(), null, 'where nothing was used, the next one passes now');
select app.use_meter('knocks', 'door', 2, interval '1 minute') from generate_series(1, 2);
select is(pg_temp.wait(), interval '30 seconds', 'where all is used, it passes after a share of the window');
select is(pg_temp.wait(), interval '30 seconds', 'and looking uses nothing');
select is(app.meter_opens_at('knocks', 'door', null, interval '1 minute'), null, 'without a limit nothing is ever waited for');

select * from finish();
