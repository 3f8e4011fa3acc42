select plan(13);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('hers', 'lena');
select tests.post('his', 'jonas');
select tests.post('locked', 'maya', 'private_locked_hub');
update app.posts set is_shareable = false where id = tests.id('locked');

create function pg_temp.refusal(p_caller text, p_post text, p_hubs uuid[], p_kind text default 'targeted')
returns text
language sql
return tests.refusal_of(p_caller, format('select app.place_post(%L, %L, %L)', tests.id(p_post), p_hubs, p_kind));

select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm')), '42501', 'no post of others is targeted');
select is(pg_temp.refusal('jonas', 'unknown', tests.ids('elm')), 'PT404 POST_NOT_FOUND', 'or none');
select is(pg_temp.refusal('jonas', 'locked', tests.ids('elm'), 'shared'), 'PT404 POST_NOT_FOUND', 'nor one that is hidden shared');
select is(pg_temp.refusal('maya', 'locked', tests.ids('elm'), 'shared'), '42501', 'or for one Hub alone');
select is(pg_temp.refusal('jonas', 'his', tests.ids('elm', 'ash')), 'PT403 FORBIDDEN', 'in no Hub of others');
select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm', 'ash'), 'shared'), 'PT403 FORBIDDEN', 'either way');
select is(pg_temp.refusal('jonas', 'his', tests.ids('unknown')), 'PT403 FORBIDDEN', 'or none');
select is(pg_temp.refusal('jonas', 'his', array[null::uuid]), 'PT403 FORBIDDEN', 'however that is said');
select is_empty('select from app.placements', 'and nothing is placed');
select is(pg_temp.refusal('jonas', 'his', '{}'), null, 'in no Hub is in none');
select is_empty('select from app.placements', 'at all');
select is(pg_temp.refusal('jonas', 'hers', tests.ids('elm'), 'shared'), null, 'what others wrote is shared');
select is(pg_temp.refusal(null, 'his', '{}'), '42501', 'guests place nothing');

select * from finish();
