select plan(2);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
insert into app.posts (id, author_id, thought_text, visibility, created_at, trending_at)
select tests.id(n::text), tests.id('jonas'), n, 'public', tests.ago(n), app.now() - interval '6 days' + n * interval '1 second' from generate_series(1, 1001) as n;

select tests.act_as_guest();
select is(
  tests.thoughts(tests.listed(app.feed('{"sort": "trending", "limit": 2}'))), array['1000', '999'], 'what is behind them is not ranked, however warm'
);
reset role;
delete from app.posts where id = tests.id('1');
select tests.act_as_guest();
select is(
  tests.thoughts(tests.listed(app.feed('{"sort": "trending", "limit": 2}'))), array['1001', '1000'], 'once it is among them it is'
);

select * from finish();
