select plan(7);

select tests.elm();
select tests.hub('ash', 'maya');
select tests.discussion('trams', 'jonas', 'elm');

create function pg_temp.refusal(p_caller text, p_hub text, p_discussion text)
returns text
language sql
return tests.refusal_of(p_caller, format(
  'select app.require_discussion(%L)', jsonb_build_object('hubId', tests.id(p_hub), 'discussionId', tests.id(p_discussion))
));

select is(pg_temp.refusal('jonas', 'elm', 'trams in elm'), null, 'to a discussion of the Hub');
select is(pg_temp.refusal('lena', 'elm', 'trams in elm'), 'PT404 DISCUSSION_NOT_FOUND', 'of which an outsider knows nothing');
select is(pg_temp.refusal('jonas', 'elm', 'unknown'), 'PT404 DISCUSSION_NOT_FOUND', 'and nobody of one that never was');
select is(pg_temp.refusal('maya', 'ash', 'trams in elm'), 'PT404 DISCUSSION_NOT_FOUND', 'it is of no other Hub');
select is(pg_temp.refusal('maya', 'oak', 'trams in elm'), 'PT404 HUB_NOT_FOUND', 'or of none');
select tests.act_as('jonas');
select is(
  (app.require_discussion(tests.in_discussion('trams in elm'))).post_id, tests.id('trams'), 'it answers the discussion'
);
select is(seen_at, app.now(), 'and the member has used the Hub') from app.memberships where user_id = tests.id('jonas');

select * from finish();
