select plan(1);

insert into app.hubs (name) select 'Of elms ' || n from generate_series(1, 501) as n;
select is(count(*)::integer, 500, 'of a frequent name') from app.find_hubs_alike('elm');

select * from finish();
