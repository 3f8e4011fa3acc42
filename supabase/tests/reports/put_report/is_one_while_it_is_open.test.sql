select plan(9);

select tests.elm();
select tests.post('trams', 'lena');
select tests.act_as('maya');
create temporary table answers as
select
  app.put_report('{"reason": "hate", "details": "Look."}', p_post_id => tests.id('trams')) as post,
  app.put_report('{"reason": "spam", "details": null}', p_user_id => tests.id('lena')) as person,
  app.put_report('{"reason": "other"}', p_hub_id => tests.id('elm')) as hub;
grant select on answers to public;
select bag_eq(
  'select id, reporter_id, user_id, post_id, hub_id, reason::text, details from app.reports',
  $$
    select (post ->> 'reportId')::uuid as id, tests.id('maya') as reporter, null::uuid as person, tests.id('trams') as post, null::uuid as hub, 'hate', 'Look.' as details from answers
    union all select (person ->> 'reportId')::uuid, tests.id('maya'), tests.id('lena'), null, null, 'spam', null from answers
    union all select (hub ->> 'reportId')::uuid, tests.id('maya'), null, null, tests.id('elm'), 'other', null from answers
  $$,
  'of a post, a person or a Hub'
);
select is(post ->> 'state', 'open', 'it is open') from answers;
select is(app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')), post, 'again it is the same') from answers;
select is(app.put_report('{"reason": "spam"}', p_user_id => tests.id('lena')), person, 'of each') from answers;
select is(app.put_report('{"reason": "spam"}', p_hub_id => tests.id('elm')), hub, 'alike') from answers;
select results_eq(
  $$ select reason::text, details from app.reports where post_id = tests.id('trams') $$, $$ values ('hate', 'Look.') $$, 'and says what it said'
);
select tests.act_as('jonas');
select isnt(app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')) -> 'reportId', post -> 'reportId', 'others make their own') from answers;
reset role;
update app.reports set state = 'closed';
select tests.act_as('maya');
create temporary table later as select app.put_report('{"reason": "spam"}', p_post_id => tests.id('trams')) as post;
select isnt(later.post -> 'reportId', answers.post -> 'reportId', 'once it is decided there is another') from answers, later;
select is(app.put_report('{"reason": "hate"}', p_post_id => tests.id('trams')), post, 'which is one while it is open') from later;

select * from finish();
