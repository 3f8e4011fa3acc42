select plan(3);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('public', 'maya', 'public');
select tests.post('public in a Hub', 'maya', 'public_hub');
select tests.post('locked in a Hub', 'maya', 'private_locked_hub');

select tests.act_as_guest();
select set_eq('select thought_text from app.posts', array['public', 'public in a Hub'], 'a guest sees public posts');
select tests.act_as('jonas');
select set_eq('select thought_text from app.posts', array['public', 'public in a Hub'], 'and so does a member');
select tests.act_as('maya');
select set_eq(
  'select thought_text from app.posts', array['public', 'public in a Hub', 'locked in a Hub'], 'an author sees all of their own'
);

select * from finish();
