set transaction isolation level serializable;
select plan(4);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.placed('trams', 'elm');

create function pg_temp.refusal(p_caller text, p_hub text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.cast_vote(%L)', tests.arguments('trams') || tests.in_hub(p_hub, '{"position": "left"}')));

select is(pg_temp.refusal('lena', 'elm'), 'PT403 FORBIDDEN', 'nobody votes to see the votes of a Hub that is not theirs');
select is(pg_temp.refusal('jonas', 'unknown'), 'PT403 FORBIDDEN', 'or of none');
select is_empty('select from app.vote_receipts', 'nothing is counted');
select is(pg_temp.refusal('jonas', 'elm'), null, 'a member does');

select * from finish();
