select plan(9);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('hers', 'lena');
select tests.post('his', 'jonas');

create function pg_temp.refusal(p_caller text, p_post text, p_hubs uuid[])
returns text
language sql
return tests.refusal_of(p_caller, format('select app.place_post(%L, %L)', tests.id(p_post), p_hubs));

select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm')), 'PT403 FORBIDDEN', 'no post of others');
select is(pg_temp.refusal('jonas', 'unknown', tests.ids('elm')), 'PT403 FORBIDDEN', 'or none');
select is(pg_temp.refusal('jonas', 'his', tests.ids('elm', 'ash')), 'PT403 FORBIDDEN', 'in no Hub of others');
select is(pg_temp.refusal('jonas', 'his', tests.ids('unknown')), 'PT403 FORBIDDEN', 'or none');
select is(pg_temp.refusal('jonas', 'his', array[null::uuid]), 'PT403 FORBIDDEN', 'however that is said');
select is_empty('select from app.placements', 'and nothing is placed');
select is(pg_temp.refusal('jonas', 'his', '{}'), null, 'in no Hub is in none');
select is_empty('select from app.placements', 'at all');
select is(pg_temp.refusal(null, 'his', '{}'), '42501', 'guests place nothing');

select * from finish();
