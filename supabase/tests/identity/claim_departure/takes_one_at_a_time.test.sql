select plan(4);

select tests.person(name, 3) from unnest(array['ann', 'ben', 'cleo']) as name;
select app.end_user(tests.id(name)) from unnest(array['ann', 'ben', 'cleo']) as name;
update app.departures set due_at = app.now() - interval '1 hour' where user_id = tests.id('ben');
update app.departures set due_at = app.now() + interval '1 microsecond' where user_id = tests.id('cleo');

select is(app.claim_departure(), tests.id('ben'), 'who has waited longest is first');
select is(app.claim_departure(), tests.id('ann'), 'what is claimed is skipped');
select is(app.claim_departure(), null, 'what is not due is left');
select set_eq($$ select tests.who_may('select app.claim_departure()') $$, array['opine_worker'], 'the worker alone claims');

select * from finish();
