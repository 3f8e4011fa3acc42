select plan(12);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
create temporary table args as select tests.in_discussion('trams in elm') as args, tests.in_discussion('bikes in elm') as other;
grant select on args to public;

select is(tests.refusals('save_discussion', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'members save') from args;
select is(tests.refusals('unsave_discussion', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'and forget') from args;
select is(tests.refusals('save_discussion', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in a Hub that is there') from args;
select is(tests.refusals('unsave_discussion', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'alone') from args;
select tests.act_as('jonas');
select is(api.save_discussion(args), '{"saved": true}', 'somebody else saves it') from args;
select tests.act_as('maya');
select is(api.save_discussion(args), '{"saved": true}', 'once') from args;
select is(api.save_discussion(args), '{"saved": true}', 'is as twice') from args;
select is(api.save_discussion(other), '{"saved": true}', 'and another') from args;
select set_eq('select discussion_id from app.saved_discussions', tests.ids('trams in elm', 'bikes in elm'), 'both are saved');
select is(api.unsave_discussion(args), '{"saved": false}', 'then forgotten') from args;
select is(api.unsave_discussion(args), '{"saved": false}', 'once is as twice') from args;
reset role;
select set_eq(
  'select user_id, discussion_id from app.saved_discussions',
  $$ values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('bikes in elm')) $$, 'that alone, by whoever does alone'
);

select * from finish();
