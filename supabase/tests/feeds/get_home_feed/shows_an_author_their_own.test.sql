select plan(1);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.post('trams', 'maya');
select tests.post('bikes', 'jonas');
insert into app.default_feed_users (user_id) values (tests.id('maya'));
select tests.act_as('jonas');
select is(
  (select jsonb_agg(jsonb_build_array(item ->> 'thoughtText', item ->> 'feedContext'))
    from jsonb_array_elements(api.get_home_feed('{"limit": 20}') -> 'items') as item),
  '[["bikes", "own_post"]]', 'who has posts of their own sees them'
);

select * from finish();
