select plan(4);

select tests.elm();
select tests.article('About trams', 'jonas');
insert into app.posts (id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility)
values (tests.id('trams'), tests.id('jonas'), tests.id('About trams'), 'I like them.', 'More?', 'No', 'Yes', 'private_locked_hub');
select tests.placed('trams', 'elm');
select tests.discussion('thought', 'maya', 'elm');
select tests.block('jonas', 'maya');


insert into app.saved_discussions (user_id, discussion_id) values (tests.id('maya'), tests.id('thought in elm')), (tests.id('jonas'), tests.id('trams in elm'));

create function pg_temp.read()
returns setof app.discussed_post
language sql
as $$ select post.* from app.discussed_posts(tests.ids('trams in elm', 'thought in elm')) as post $$;

select tests.act_as('maya');
select set_eq(
  'select discussion_id, author_id, thought_text, slider_text, article_title, is_saved from pg_temp.read()',
  $$
    values
      (tests.id('trams in elm'), tests.id('jonas'), 'I like them.', 'More?', 'About trams', false),
      (tests.id('thought in elm'), tests.id('maya'), 'thought', null, null, true)
  $$,
  'a member reads what it is about, and whether they have saved it'
);
select is(count(*)::integer, 1, 'of what they ask for') from app.discussed_posts(tests.ids('trams in elm', 'unknown'));
select tests.act_as('lena');
select is_empty('select * from pg_temp.read()', 'an outsider reads nothing');
reset role;
select tests.hub('ash', 'lena');
select tests.act_as('lena');
select is_empty('select * from pg_temp.read()', 'a Hub of their own does not help');

select * from finish();
