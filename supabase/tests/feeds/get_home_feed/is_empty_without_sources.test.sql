select plan(1);

select tests.act_as_guest();
select is(api.get_home_feed('{"limit": 20}'), '{"items": [], "nextCursor": null}', 'nothing is an empty page');

select * from finish();
