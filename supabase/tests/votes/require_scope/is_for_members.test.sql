select plan(6);

select tests.elm();
create function pg_temp.refusal(p_caller text, p_hub text)
returns text
language sql
return tests.refusal_of(p_caller, format('select app.require_scope(%L)', tests.id(p_hub)));

select is(pg_temp.refusal('jonas', 'elm'), null, 'a member sees the votes of their Hub');
select is(pg_temp.refusal('lena', 'elm'), 'PT403 FORBIDDEN', 'an outsider does not');
select is(pg_temp.refusal('lena', 'unknown'), 'PT403 FORBIDDEN', 'nor learns whether there is one');
select is(pg_temp.refusal(null, 'elm'), 'PT403 FORBIDDEN', 'a guest does not');
select is(pg_temp.refusal(null, null), null, 'those of no Hub in particular everybody sees');
select is(pg_temp.refusal('lena', null), null, 'in a Hub or not');

select * from finish();
