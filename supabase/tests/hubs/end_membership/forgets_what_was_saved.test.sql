select plan(1);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.post('trams', 'amara');
insert into app.placements (post_id, hub_id) select tests.id('trams'), h.id from app.hubs as h;
insert into app.discussions (id, post_id, hub_id) select tests.id('in ' || h.name), tests.id('trams'), h.id from app.hubs as h;
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('in elm')), (tests.id('jonas'), tests.id('in oak')), (tests.id('maya'), tests.id('in elm'));
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select bag_eq(
  'select user_id, discussion_id from app.saved_discussions',
  $$ values (tests.id('jonas'), tests.id('in oak')), (tests.id('maya'), tests.id('in elm')) $$,
  'what somebody has saved of a Hub is forgotten with their membership, and nothing else'
);

select * from finish();
