select plan(4);

select tests.elm();
select tests.person('ann');
select tests.person('olga', 4);
select tests.hub('ash', 'maya');
select tests.membership('ash', 'olga');
select tests.follow('maya', 'lena');
select tests.follow('maya', 'jonas');
select tests.follow('maya', 'ann');
select tests.post('own', 'maya');
select tests.discussion('own locked', 'maya', 'elm');
select tests.post('of lena', 'lena');
select tests.post('of jonas', 'jonas');
select tests.post('of amara', 'amara', 'public_hub');
select tests.placed('of amara', 'elm');
select tests.discussion('locked', 'jonas', 'elm');
select tests.person('enno', 4);
select tests.post('of enno', 'enno', 'public_hub');
select tests.placed('of enno', 'elm');
select tests.post(name, 'enno') from unnest(array['acted on', 'shared', 'both', 'acted on and not told']) as name;
select tests.placed(name, 'elm', p_kind => 'shared', p_by => 'jonas') from unnest(array['shared', 'both', 'acted on and not told']) as name;
select tests.did('voted', 'jonas', name) from unnest(array['acted on', 'both']) as name;

create function pg_temp.reasons(p_kind app.feed_event_kind, variadic p_posts text[])
returns text[]
language sql
return app.home_reasons(array(
  select tests.entry(name, p_kind => p_kind) from unnest(p_posts) with ordinality as given (name, place) order by place
));

select tests.act_as('maya');
select is(
  pg_temp.reasons('shared_to_hub', 'shared', 'both', 'of enno', 'locked', 'of amara', 'of jonas', 'of lena', 'own locked', 'own'),
  array[
    'shared_to_hub', 'friend_interaction', 'joined_hub_post', 'joined_hub_post', 'hub_co_member_author', 'followed_author', 'followed_author',
    'own_post', 'own_post'
  ],
  'as spec.md lists them, in the order of the posts'
);
select is(pg_temp.reasons('commented', 'acted on', 'shared'), array['friend_interaction', 'friend_interaction'], 'what put a post there is one of them');
select tests.act_as('jonas');
select is(
  pg_temp.reasons('voted', 'of lena', 'own', 'of amara', 'of jonas'),
  array['friend_interaction', 'hub_co_member_author', 'hub_co_member_author', 'own_post'], 'to each their own'
);
select is(app.home_reasons('{}'), '{}', 'of nothing there is none');

select * from finish();
