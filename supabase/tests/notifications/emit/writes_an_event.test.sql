select plan(2);

select tests.elm();
select tests.post('trams', 'jonas');
select tests.comment('hello', 'jonas', 'trams');
delete from app.events;
select tests.invitation('invitation', 'elm', 'jonas', 'lena');
select tests.join_request('request', 'elm', 'lena');
select app.emit(
  'hub_role_changed', p_actor_id => tests.id('amara'), p_subject_id => tests.id('jonas'), p_hub_id => tests.id('elm'), p_post_id => tests.id('trams'),
  p_comment_id => tests.id('hello'), p_invitation_id => tests.id('invitation'), p_join_request_id => tests.id('request')
);
select results_eq(
  'select type::text, actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id, occurred_at from app.events',
  $$
    values (
      'hub_role_changed', tests.id('amara'), tests.id('jonas'), tests.id('elm'), tests.id('trams'), tests.id('hello'), tests.id('invitation'), tests.id('request'), app.now()
    )
  $$,
  'of whatever it was about'
);
delete from app.events;
select app.emit('user_followed', null);
select is(num_nonnulls(actor_id, subject_id, hub_id, post_id, comment_id, invitation_id, join_request_id), 0, 'or of nothing') from app.events;

select * from finish();
