select plan(3);

-- The Data API reaches this operation without the service.
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility) select tests.id('maya'), n, 'public' from generate_series(1, 51) as n;

select tests.act_as_guest();
select is(jsonb_array_length(api.get_home_feed('{"limit": 50}') -> 'items'), 50, 'a page has 50 posts at most');
select throws_ok($$ select api.get_home_feed('{"limit": 51}') $$, 'PT422', 'VALIDATION_FAILED', 'and refuses more');
select is(jsonb_array_length(api.get_home_feed('{}') -> 'items'), 20, 'without a limit it has 20');

select * from finish();
