select plan(6);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.post('no slider', 'lena');
select tests.vote('jonas', 'trams', 'right', p_key => tests.key('old'));
select tests.vote('maya', 'trams', 'left');
select tests.fold(tests.key(), tests.key('old'));
create function pg_temp.share(p_post text, p_hub text, p_keys jsonb default jsonb_build_array(tests.key('new'), tests.key(), tests.key('old')))
returns jsonb
language sql
return api.share_to_hubs(tests.arguments(p_post) || jsonb_build_object('hubIds', jsonb_build_array(tests.id(p_hub)), 'pendingVoteKeys', p_keys));

select tests.act_as('jonas');
select pg_temp.share('trams', 'elm');
select is(tests.counts('trams', 'elm'), '(0,1,0,1,0)', 'who shares a post into a Hub sees at once what was pending there');
select pg_temp.share('trams', 'elm');
select is(tests.counts('trams', 'elm'), '(0,1,0,1,0)', 'sharing it again changes nothing');
select lives_ok($$ select pg_temp.share('no slider', 'elm') $$, 'without a slider there is nothing to promote');
select pg_temp.share('trams', 'oak', '[]');
select is(tests.counts('trams', 'oak'), null, 'without the service''s keys it is shared');
reset role;
select tests.fold();
select is(tests.counts('trams', 'oak'), '(0,0,0,1,0)', 'and promoted by the next fold');
select is_empty('select from app.pending_totals', 'so that nothing is left');

select * from finish();
