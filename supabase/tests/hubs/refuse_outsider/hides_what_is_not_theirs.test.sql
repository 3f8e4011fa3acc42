select plan(9);

select tests.elm();
select tests.hub('oak', 'amara');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_hub text, p_hidden text default null)
returns text
language sql
as $$ select tests.refusal_of('lena', format('select app.require_member(tests.id(%L), %L, %L)', p_hub, 'member', p_hidden)) $$;

select is(pg_temp.refusal_of('elm'), 'PT403 FORBIDDEN', 'an outsider is told that they are one');
select is(pg_temp.refusal_of('elm', 'ITEM_NOT_FOUND'), 'PT404 ITEM_NOT_FOUND', 'or that the item they ask for is not there');
select is(pg_temp.refusal_of('oak'), 'PT404 HUB_NOT_FOUND', 'a closed Hub is not there');
select is(tests.refusal_of('lena', $$ select app.leave_hub(tests.id('oak')) $$), 'PT404 HUB_NOT_FOUND', 'not to moves either, from which no policy hides it');
select is(pg_temp.refusal_of('ash'), 'PT404 HUB_NOT_FOUND', 'nor one that nobody has founded');
select is(pg_temp.refusal_of('ash', 'ITEM_NOT_FOUND'), 'PT404 HUB_NOT_FOUND', 'before any item in it');
select is(tests.refusal_of('lena', 'select app.require_member(null)'), 'PT404 HUB_NOT_FOUND', 'no id is that of a Hub');
select is(
  tests.refusal_of('jonas', $$ select app.require_member(tests.id('elm'), 'admin', 'ITEM_NOT_FOUND') $$), 'PT403 FORBIDDEN',
  'nothing is hidden from a member whose role is too low'
);
select set_eq($$ select tests.who_may('select app.refuse_outsider(null, null)') $$, array['authenticated'], 'operations of members ask');

select * from finish();
