select plan(3);

select lives_ok('select app.create_platform_policies()', 'a second run finds the policies and changes nothing');
drop policy opine_buckets_are_closed on storage.objects;
select app.create_platform_policies();
select policies_are('storage', 'objects', array['opine_buckets_are_closed'], 'a run creates a missing policy');
select tests.act_as_guest();
select throws_ok('select app.create_platform_policies()', '42501', null, 'nobody but the owner runs it');

select * from finish();
