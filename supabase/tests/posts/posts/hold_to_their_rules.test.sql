select plan(13);

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

select * from finish();
