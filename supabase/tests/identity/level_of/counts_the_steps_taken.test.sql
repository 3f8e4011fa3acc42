select plan(8);

select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);
select tests.person('four', 4);

select is(app.level_of(null), 0, 'a guest has no level');
select is(app.level_of(tests.id('one')), 1, 'a session is level 1');
select is(app.level_of(tests.id('two')), 2, 'a registered profile is level 2');
select is(app.level_of(tests.id('three')), 3, 'a verified phone and a finished profile are level 3');
select is(app.level_of(tests.id('four')), 4, 'contacts synced on top are level 4');

update app.users set media_completed_at = null where id = tests.id('four');
select is(app.level_of(tests.id('four')), 2, 'without the media step, phone and contacts lift nobody above 2');
delete from app.profiles where user_id = tests.id('three');
select is(app.level_of(tests.id('three')), 1, 'without a profile, a phone lifts nobody above 1');
select is(app.level_of(tests.id('unknown')), 0, 'who has no account has no level');

select * from finish();
