select plan(6);

select tests.person('maya');
select tests.named('zoe_77', 'Zoë van der Berg');
select tests.named('jonas', 'Jonas Bergson');
select tests.named('bergit', 'Ann Other');
select tests.follow('maya', 'zoe_77', app.now() - interval '3 days');
select tests.follow('maya', 'jonas', app.now() - interval '2 days');
select tests.follow('maya', 'bergit', app.now() - interval '1 day');

create function pg_temp.list(p_query text, p_args jsonb default '{}')
returns jsonb
language sql
return api.list_following(tests.user('maya') || jsonb_build_object('q', p_query) || p_args);

select tests.act_as('maya');
select is(tests.usernames(pg_temp.list('berg')), '{bergit,jonas,zoe_77}', 'by the username or any word of the name');
select is(tests.usernames(pg_temp.list('@ZOE')), '{zoe_77}', 'however it is written');
select is(tests.usernames(pg_temp.list('erg')), '{}', 'by its beginning');
select is(tests.usernames(pg_temp.list('%')), '{}', 'and no pattern');
select is(tests.usernames(pg_temp.list('berg', '{"limit": 2}')), '{bergit,jonas}', 'a part at a time');
select is(
  tests.usernames(pg_temp.list('berg', jsonb_build_object('cursor', pg_temp.list('berg', '{"limit": 2}') ->> 'nextCursor'))), '{zoe_77}', 'and the rest'
);

select * from finish();
