select plan(1);
select has_schema('app');
select * from finish();
