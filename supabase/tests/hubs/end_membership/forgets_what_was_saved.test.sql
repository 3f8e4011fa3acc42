select plan(1);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.post('trams', 'amara');
select tests.placed('trams', name) from unnest(array['elm', 'oak']) as name;
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('jonas'), tests.id('trams in oak')), (tests.id('maya'), tests.id('trams in elm'));
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select bag_eq(
  'select user_id, discussion_id from app.saved_discussions',
  $$ values (tests.id('jonas'), tests.id('trams in oak')), (tests.id('maya'), tests.id('trams in elm')) $$,
  'what somebody has saved of a Hub is forgotten with their membership, and nothing else'
);

select * from finish();
