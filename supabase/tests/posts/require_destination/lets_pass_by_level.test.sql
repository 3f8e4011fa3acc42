select plan(10);

select tests.person('two', 2);
select tests.person('three', 3);
select tests.person('four', 4);

create function pg_temp.refusal(p_caller text, p_visibility text, p_hubs jsonb)
returns text
language sql
return tests.refusal_of(p_caller, format('select app.require_destination(%L)', jsonb_build_object('visibility', p_visibility, 'hubIds', p_hubs)));

select is(pg_temp.refusal('two', 'public', null), 'PT403 FORBIDDEN', 'in public from level 3 on');
select is(pg_temp.refusal('three', 'public', null), null, 'a phone-confirmed person publishes there');
select is(pg_temp.refusal('three', 'public', '[]'), null, 'in no Hub');
select is(pg_temp.refusal('three', 'public_hub', to_jsonb(tests.ids('a'))), 'PT403 FORBIDDEN', 'in Hubs nobody below level 4');
select is(pg_temp.refusal('four', 'public_hub', to_jsonb(tests.ids('a'))), null, 'does');
select is(pg_temp.refusal('four', 'private_locked_hub', to_jsonb(tests.ids('a', 'b'))), null, 'privately either');
select is(pg_temp.refusal('four', 'public', to_jsonb(tests.ids('a'))), 'PT422 VALIDATION_FAILED', 'a public post with hubIds is refused');
select is(pg_temp.refusal('four', 'private_locked_hub', '[]'), 'PT422 VALIDATION_FAILED', 'a private post with no hubIds is refused');
select is(pg_temp.refusal('four', 'public_hub', null), 'PT422 VALIDATION_FAILED', 'a Hub post without hubIds is refused');
select is(pg_temp.refusal(null, 'public', null), '42501', 'guests publish nothing');

select * from finish();
