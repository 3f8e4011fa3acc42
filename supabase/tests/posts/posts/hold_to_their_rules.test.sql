select plan(18);

select tests.person('maya', 3);

create function pg_temp.post(p_columns text, p_values text)
returns text
language sql
return tests.violation_of(
  format('insert into app.posts (author_id, visibility, %s) values (tests.id(%L), %L, %s)', p_columns, 'maya', 'public', p_values)
);

select is(pg_temp.post('thought_text', 'null'), 'posts_have_content', 'a post says something');
select is(pg_temp.post('slider_text', $$'Trams?'$$), 'posts_slider_is_whole', 'a slider has labels');
select is(pg_temp.post('thought_text, left_label', $$'Trams', 'No'$$), 'posts_slider_is_whole', 'and labels have a slider');
select is(pg_temp.post('thought_text', $$''$$), 'posts_thought_text_length', 'an empty thought is none');
select is(pg_temp.post('thought_text', $$repeat('é', 2001)$$), 'posts_thought_text_length', 'a thought has 2000 characters at most');
select is(
  pg_temp.post('slider_text, left_label, right_label', $$repeat('é', 261), 'No', 'Yes'$$), 'posts_slider_text_length',
  'a slider''s text has 260 at most'
);
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'Trams?', repeat('é', 41), 'Yes'$$), 'posts_left_label_length',
  'its left label has 40'
);
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'Trams?', 'No', ''$$), 'posts_right_label_length',
  'and the right one is not empty'
);
select is(pg_temp.post('thought_text', $$repeat('é', 2000)$$), null, 'characters count, not bytes');
select is(
  pg_temp.post('slider_text, left_label, right_label', $$repeat('é', 260), repeat('é', 40), repeat('é', 40)$$), null,
  'in a slider as well'
);
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'?', '-', '+'$$), null, 'one character is enough for each'
);
select is(pg_temp.post('thought_text', $$'!'$$), null, 'and for a thought');
select is(
  pg_temp.post('slider_text, left_label, right_label', $$'Trams?', 'No', repeat('é', 41)$$), 'posts_right_label_length', 'the right label has 40 as well'
);

select tests.post('trams', 'maya');
select tests.article('about trams', 'maya');
select is(
  pg_temp.post('source_post_id, article_id', $$tests.id('trams'), tests.id('about trams')$$), 'posts_reposts_have_no_article', 'a repost has no article of its own'
);
select is(pg_temp.post('source_post_id, thought_text', $$tests.id('trams'), 'Again'$$), null, 'but says something');
select is(pg_temp.post('source_post_id', $$tests.id('trams')$$), 'posts_have_content', 'of its own');
select is(tests.violation_of('update app.posts set comment_count = -1'), 'posts_counts_are_natural', 'there are no less than no comments');
select is(tests.violation_of('update app.posts set repost_count = -1'), 'posts_counts_are_natural', 'or reposts');

select * from finish();
